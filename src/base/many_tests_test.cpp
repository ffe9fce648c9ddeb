#include "base/many_tests.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(ManyTests, TheSmallestCountsForAllOfThem) {
  // 4 × 0.005, 3 × 0.01, 2 × 0.03, and never less than one that is smaller.
  const std::vector<double> corrected =
      corrected_for_many(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  EXPECT_DOUBLE_EQ(corrected[3], 0.02);
  EXPECT_DOUBLE_EQ(corrected[0], 0.03);
  EXPECT_DOUBLE_EQ(corrected[2], 0.06);
  EXPECT_DOUBLE_EQ(corrected[1], 0.06);
}

TEST(ManyTests, NoneIsMoreThanCertain) {
  EXPECT_EQ(corrected_for_many(std::vector<double>{0.6, 0.9}), (std::vector<double>{1, 1}));
  EXPECT_EQ(corrected_for_many(std::vector<double>{0.04}), (std::vector<double>{0.04}));
  EXPECT_TRUE(corrected_for_many({}).empty());
}

}  // namespace
}  // namespace jouletree
