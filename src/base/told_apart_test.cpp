#include "base/told_apart.hpp"

#include <set>

#include <gtest/gtest.h>

#include "base/display_width.hpp"

namespace jouletree {
namespace {

std::set<std::string> texts_of(const std::vector<std::string>& names, std::size_t columns) {
  std::set<std::string> texts;
  for (const auto& [name, text] : told_apart(names, columns)) {
    EXPECT_LE(display_width(text), columns) << text;
    texts.insert(text);
  }
  return texts;
}

TEST(ToldApart, CutsOnlyWhatIsTooLong) {
  const auto found = told_apart({"conv1.Conv", "layer1.0.downsample.0.Conv"}, 20);
  EXPECT_EQ(found.at("conv1.Conv"), "conv1.Conv");
  EXPECT_EQ(found.at("layer1.0.downsample.0.Conv"),
            shortened_name("layer1.0.downsample.0.Conv", 20));
}

TEST(ToldApart, ShowsWhereNamesDifferInTheirMiddle) {
  const std::string first = "encoder.layer.0.attention.self.query.MatMul";
  const std::string last = "encoder.layer.11.attention.self.query.MatMul";
  const auto found = told_apart({first, last}, 20);
  EXPECT_EQ(found.at(first), "enc…0…f.query.MatMul");
  EXPECT_EQ(found.at(last), "enc…11….query.MatMul");
}

TEST(ToldApart, WorksForAllLayersOfAModel) {
  std::vector<std::string> names;
  for (int layer = 0; layer < 12; ++layer) {
    for (const char* const end : {"query.MatMul", "key.MatMul", "value.MatMul", "query.Add"})
      names.push_back("encoder.layer." + std::to_string(layer) + ".attention.self." + end);
  }
  EXPECT_EQ(texts_of(names, 20).size(), names.size());
  EXPECT_EQ(texts_of(names, 24).size(), names.size());
}

TEST(ToldApart, NamesThatAreTheSameStayTheSame) {
  const std::string name = "a_very_long_name_of_a_module_in_a_tree";
  EXPECT_EQ(texts_of({name, name}, 12).size(), 1U);
}

TEST(ToldApart, ManagesAnyWidth) {
  const std::vector<std::string> names = {"    block.0.a_long_name.Conv",
                                          "    block.1.a_long_name.Conv", "é.0.ein_langer_name",
                                          "é.1.ein_langer_name"};
  for (std::size_t columns = 2; columns < 40; ++columns) (void)texts_of(names, columns);
}

}  // namespace
}  // namespace jouletree
