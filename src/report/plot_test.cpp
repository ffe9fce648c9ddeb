#include "report/plot.hpp"

#include <sstream>

#include <gmock/gmock.h>

namespace jouletree::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const PlotCurve kSteps{"package", "measured", {{0, 1, 10}, {1, 2, 30}, {3, 4, 20}}};

TEST(PlotColumns, WeighValuesByTheirTime) {
  const auto columns = columns_of({"x", "", {{0, 0.5, 10}, {0.5, 2, 30}}}, 2, 2);
  ASSERT_TRUE(columns[0] && columns[1]);
  EXPECT_EQ(columns[0]->mean, 20);
  EXPECT_EQ(columns[0]->lowest, 10);
  EXPECT_EQ(columns[0]->highest, 30);
  EXPECT_EQ(columns[1]->mean, 30);
}

TEST(PlotColumns, LeaveGapsEmpty) {
  const auto columns = columns_of(kSteps, 4, 4);
  EXPECT_TRUE(columns[0]);
  EXPECT_TRUE(columns[1]);
  EXPECT_FALSE(columns[2]);
  EXPECT_TRUE(columns[3]);
}

TEST(PlotColumns, SurviveSpansWithoutLengthAndBeyondTheEnd) {
  const auto columns = columns_of({"x", "", {{1, 1, 5}, {3, 9, 7}}}, 4, 4);
  EXPECT_FALSE(columns[1]);
  EXPECT_EQ(columns[3]->mean, 7);
  EXPECT_FALSE(columns_of({"x", "", {{0, 0, 5}}}, 0, 1)[0]);
}

TEST(TerminalPlot, HasScalesWithUnits) {
  std::ostringstream out;
  print_plot({"Power", "W", 4, {kSteps}}, 27, out);
  EXPECT_EQ(out.str(),
            "package, W, measured\n"
            "30 ┤⠀⠀⠀⠀⠀⡏⠉⠉⠉⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀\n"
            "   │⠀⠀⠀⠀⠀⡇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀\n"
            "20 ┤⠀⠀⠀⠀⠀⡇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠠⠤⠤⠤⠤⠤\n"
            "   │⠀⠀⠀⠀⠀⡇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀\n"
            "   │⠀⠀⠀⠀⠀⡇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀\n"
            "10 ┤⠒⠒⠒⠒⠒⠃⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀\n"
            "   │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀\n"
            " 0 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀\n"
            "   └─────────────────────\n"
            "    0         2           s\n");
}

TEST(SvgPlot, HasACurveForEachNameAndNoMarkupOfItsOwn) {
  PlotCurve evil = kSteps;
  evil.name = "<script>&\"";
  std::ostringstream out;
  print_svg("title", {{"Power", "W", 4, {kSteps, evil}}}, out);
  EXPECT_THAT(out.str(), HasSubstr("package (measured)"));
  EXPECT_THAT(out.str(), HasSubstr("&lt;script&gt;&amp;&quot;"));
  EXPECT_THAT(out.str(), Not(HasSubstr("<script>")));
  EXPECT_THAT(out.str(), HasSubstr("Power in W"));
  EXPECT_THAT(out.str(), HasSubstr("time in seconds"));
}

TEST(SvgPlot, BreaksACurveAtAGap) {
  std::ostringstream out;
  print_svg("title", {{"Power", "W", 4, {kSteps}}}, out);
  const std::string text = out.str();
  const std::size_t begin = text.find(" d=\"");
  const std::string path = text.substr(begin, text.find("\">", begin) - begin);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'H'), 3);
}

}  // namespace
}  // namespace jouletree::report
