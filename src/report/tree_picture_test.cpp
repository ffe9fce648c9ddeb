#include "report/tree_picture.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jouletree::report {
namespace {

using testing::HasSubstr;
using testing::Not;

ProfileNode pictured_node(int level, const std::string& kind, const std::string& name,
                          const std::string& scope, double time_s) {
  ProfileNode node;
  node.level = level;
  node.kind = kind;
  node.name = name;
  node.scope = scope;
  node.type = kind == "operator" ? name : "";
  node.time_s = time_s;
  return node;
}

store::ProfileView pictured_profile() {
  store::ProfileView view;
  view.model = "a<b>";
  view.engine = "Engine 1";
  view.time = {{4, {}, {}}, "measured"};
  view.tree = {pictured_node(0, "model", "", "", 4),
               pictured_node(1, "module", "say \"hi\"", "m", 1),
               pictured_node(2, "operator", "Relu", "m.Relu", 2)};
  return view;
}

template <class Print>
std::string text_of(Print print, std::optional<int> depth) {
  std::ostringstream out;
  print(pictured_profile(), depth, out);
  return out.str();
}

TEST(TreePicture, ANodeIsAsWideAsItsTimeOrAsWhatIsInside) {
  const std::string svg = text_of(print_tree_svg, std::nullopt);
  EXPECT_THAT(svg, HasSubstr("a&lt;b&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("a<b>")));
  // The model takes 4 s on 1180 pixels; its module 1 s by itself, but 2 s with its operator.
  EXPECT_THAT(svg, HasSubstr("width=\"1179.00\""));
  EXPECT_THAT(svg, HasSubstr("width=\"589.00\""));
  EXPECT_THAT(svg, HasSubstr("m.Relu, Relu, 2 s"));
}

TEST(TreePicture, DepthLeavesLowerLevelsOut) {
  EXPECT_THAT(text_of(print_tree_svg, 1), Not(HasSubstr("m.Relu")));
  EXPECT_THAT(text_of(print_tree_graphviz, 1), Not(HasSubstr("n2")));
}

TEST(TreePicture, NamesStayInsideTheirQuotes) {
  const std::string dot = text_of(print_tree_graphviz, std::nullopt);
  EXPECT_THAT(dot, HasSubstr("n1 [label=\"say \\\"hi\\\"\\n1 s measured\"];"));
  EXPECT_THAT(dot, HasSubstr("n1 -> n2;"));
}

}  // namespace
}  // namespace jouletree::report
