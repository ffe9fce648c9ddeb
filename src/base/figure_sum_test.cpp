#include "base/figure_sum.hpp"

#include <gmock/gmock.h>

namespace jouletree {
namespace {

using testing::DoubleEq;
using testing::Optional;

auto is(double value) { return Optional(DoubleEq(value)); }

TEST(FigureSum, HalfWidthsOfIndependentPartsAddInQuadrature) {
  FigureSum sum;
  sum.add({10, 7, 13}, 1);
  sum.add({20, 16, 24}, 1);
  const Figure total = sum.total();
  EXPECT_THAT(total.value, is(30));
  EXPECT_THAT(total.low, is(25));
  EXPECT_THAT(total.high, is(35));
}

TEST(FigureSum, CopiesOfOnePartShareItsError) {
  FigureSum copies;
  copies.add({10, 9, 11}, 4);
  EXPECT_THAT(copies.total().value, is(40));
  EXPECT_THAT(copies.total().low, is(36));
  EXPECT_THAT(copies.total().high, is(44));
  FigureSum independent;
  for (int i = 0; i < 4; ++i) independent.add({10, 9, 11}, 1);
  EXPECT_THAT(independent.total().low, is(38));
}

TEST(FigureSum, TheSidesOfAnIntervalNeedNotBeEqual) {
  FigureSum sum;
  sum.add({10, 7, 11}, 1);
  EXPECT_THAT(sum.total().low, is(7));
  EXPECT_THAT(sum.total().high, is(11));
  sum.add({10, 6, 10}, 1);
  EXPECT_THAT(sum.total().low, is(15));
  EXPECT_THAT(sum.total().high, is(21));
}

TEST(FigureSum, ABoundThatOnePartLacksIsUnknown) {
  FigureSum sum;
  sum.add({10, 9, 11}, 1);
  sum.add({5, {}, 6}, 2);
  sum.add({1, 1, 1}, 1);
  EXPECT_THAT(sum.total().value, is(21));
  EXPECT_EQ(sum.total().low, std::nullopt);
  EXPECT_TRUE(sum.total().high);
}

TEST(FigureSum, NothingIsUnknownAndNotZero) {
  EXPECT_EQ(FigureSum().total().value, std::nullopt);
  EXPECT_EQ(FigureSum().total().low, std::nullopt);
  FigureSum sum;
  sum.add({}, 1);
  sum.add({10, 9, 11}, 1);
  EXPECT_EQ(sum.total().value, std::nullopt);
  EXPECT_EQ(sum.total().high, std::nullopt);
}

}  // namespace
}  // namespace jouletree
