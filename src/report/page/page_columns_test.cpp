#include "report/page/page_columns.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace jouletree::report {
namespace {

TEST(PageColumns, ATextStandsOnce) {
  PageTexts texts;
  EXPECT_EQ(texts.place_of("Conv"), 0);
  EXPECT_EQ(texts.place_of("Relu"), 1);
  EXPECT_EQ(texts.place_of("Conv"), 0);
  EXPECT_EQ(texts.place_or_none(""), -1);
  EXPECT_EQ(texts.json().dump(), R"(["Conv","Relu"])");
}

TEST(PageColumns, EveryRowHasItsProvenance) {
  PageColumn column(kTimeColumn);
  column.add({0.5, "measured", 0.4, 0.6});
  column.add({std::nullopt, "measured"});
  column.add({0.25, "measured in place"});

  const auto json = column.json();

  EXPECT_EQ(json["values"].dump(), "[0.5,null,0.25]");
  EXPECT_EQ(json["low"].dump(), "[0.4,null,null]");
  EXPECT_EQ(json["how"].dump(), R"(["measured","measured in place"])");
  EXPECT_EQ(json["how_of"].dump(), "[0,0,1]");
}

TEST(PageColumns, OneProvenanceForAllIsSaidOnce) {
  PageColumn column(kMacsColumn);
  column.add({3, "counted"});
  column.add({4, "counted", {}, {}, true});

  const auto json = column.json();

  EXPECT_FALSE(json.contains("how_of"));
  EXPECT_FALSE(json.contains("low"));
  EXPECT_EQ(json["lower_bound"].dump(), "[1]");
}

TEST(PageColumns, UnknownIsNullAndNeverZero) {
  EXPECT_TRUE(page_number(std::nullopt).is_null());
  EXPECT_TRUE(page_number(std::nan("")).is_null());
  EXPECT_TRUE(page_number(std::numeric_limits<double>::infinity()).is_null());
  EXPECT_TRUE(page_quantity({std::nullopt, "measured"}, "s")["provenance"].is_null());
  PageColumn column(kEnergyColumn);
  column.add({std::nullopt, "measured"});
  EXPECT_TRUE(column.is_empty());
}

TEST(PageColumns, NumbersKeepNineDigitsAndCountsAll) {
  EXPECT_EQ(page_number(1.0 / 3).dump(), "0.333333333");
  EXPECT_EQ(page_number(4089184256.0).dump(), "4089184256");
  EXPECT_EQ(page_number(-0.0000123456789012).dump(), "-1.23456789e-05");
}

}  // namespace
}  // namespace jouletree::report
