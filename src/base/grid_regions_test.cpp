#include "base/grid_regions.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree {
namespace {

std::string error_of(std::string_view code) {
  try {
    (void)carbon_factor_of_region(code);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

TEST(GridRegionsTest, AreSortedUniqueAndSayWhereTheyComeFrom) {
  const auto regions = grid_regions();
  EXPECT_TRUE(
      std::is_sorted(regions.begin(), regions.end(),
                     [](const GridRegion& a, const GridRegion& b) { return a.code <= b.code; }));
  for (const GridRegion& region : regions) {
    EXPECT_GT(region.g_per_kwh, 0) << region.code;
    EXPECT_LT(region.g_per_kwh, 1000) << region.code;
    EXPECT_GE(region.year, 2022) << region.code;
    EXPECT_FALSE(region.name.empty()) << region.code;
    EXPECT_FALSE(region.source.empty()) << region.code;
  }
}

TEST(GridRegionsTest, AreFoundByCodeInLargeAndSmallLetters) {
  const CarbonFactor factor = carbon_factor_of_region("fr");
  EXPECT_EQ(factor.region, "FR");
  EXPECT_DOUBLE_EQ(factor.g_per_kwh, 44);
  EXPECT_EQ(factor.year, 2024);
  EXPECT_THAT(factor.source, testing::HasSubstr("Ember"));
  EXPECT_DOUBLE_EQ(carbon_factor_of_region("FR").g_per_kwh, 44);
}

TEST(GridRegionsTest, AnUnknownCodeIsAnsweredWithTheNearest) {
  EXPECT_THAT(error_of("UK"), testing::HasSubstr("no such region"));
  EXPECT_THAT(error_of("DEU"), testing::HasSubstr("DE (Germany)"));
  EXPECT_THAT(error_of("germany"), testing::HasSubstr("nearest: DE (Germany)"));
  EXPECT_THAT(error_of(""), testing::HasSubstr("--carbon"));
}

}  // namespace
}  // namespace jouletree
