#include "base/shift_estimate.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(ShiftEstimate, IsTheMedianOfAllDifferences) {
  // The interval was found by testing every shift over all orders of the values.
  const std::vector<double> first{1.1, 2.3, 3.7, 5.2, 6.8, 8.5};
  const std::vector<double> second{4.4, 5.9, 7.3, 9.1, 10.6};
  const Figure shift = shift_between(first, second);
  EXPECT_NEAR(*shift.value, 2.8, 1e-12);
  EXPECT_NEAR(*shift.low, -1.2, 1e-12);
  EXPECT_NEAR(*shift.high, 6.9, 1e-12);
}

TEST(ShiftEstimate, OfPairsIsTheMedianOfTheMeansOfTwo) {
  const std::vector<double> differences{6, 8, 14, 16, 23, 24, 28, 29, 41, -48};
  const Figure shift = shift_of_pairs(differences);
  EXPECT_NEAR(*shift.value, 18.5, 1e-12);
  EXPECT_NEAR(*shift.low, -9.5, 1e-12);
  EXPECT_NEAR(*shift.high, 28, 1e-12);
}

TEST(ShiftEstimate, OutliersMoveItLittle) {
  std::vector<double> first;
  std::vector<double> second;
  for (int i = 0; i < 20; ++i) {
    first.push_back(10 + 0.01 * i);
    second.push_back(11 + 0.01 * i);
  }
  first[3] = 1000;
  second[7] = 5000;
  const Figure ratio = ratio_between(first, second);
  EXPECT_NEAR(*ratio.value, 1.1, 0.01);
  EXPECT_LT(*ratio.high, 1.12);
  EXPECT_GT(*ratio.low, 1.08);
}

TEST(ShiftEstimate, TooFewValuesHaveNoBounds) {
  const std::vector<double> first{1, 2, 3};
  const std::vector<double> second{4, 5, 6};
  const Figure shift = shift_between(first, second);
  EXPECT_EQ(shift.value, 3);
  EXPECT_FALSE(shift.low) << "3 and 3 values in any order are not rare enough";
  EXPECT_FALSE(shift_between({}, second).value);
  EXPECT_FALSE(shift_of_pairs({}).value);
}

TEST(ShiftEstimate, NineteenOfTwentyIntervalsHoldTheTruth) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> noise(0, 0.1);
  int held = 0;
  int held_pairs = 0;
  constexpr int kStudies = 200;
  for (int study = 0; study < kStudies; ++study) {
    std::vector<double> first;
    std::vector<double> second;
    std::vector<double> ratios;
    for (int i = 0; i < 12; ++i) {
      first.push_back(noise(random));
      second.push_back(1.2 * noise(random));
      ratios.push_back(second.back() / first.back());
    }
    const Figure ratio = ratio_between(first, second);
    const Figure paired = ratio_of_pairs(ratios);
    held += *ratio.low <= 1.2 && 1.2 <= *ratio.high ? 1 : 0;
    held_pairs += *paired.low <= 1.2 && 1.2 <= *paired.high ? 1 : 0;
  }
  EXPECT_GE(held, 0.92 * kStudies);
  EXPECT_GE(held_pairs, 0.92 * kStudies);
  EXPECT_LT(held, kStudies) << "an interval that always holds it is too wide";
  EXPECT_LT(held_pairs, kStudies);
}

TEST(ShiftEstimate, LongSeriesAreThinned) {
  std::vector<double> first;
  std::vector<double> second;
  for (int i = 0; i < 20000; ++i) {
    first.push_back(100 + std::sin(i));
    second.push_back(105 + std::sin(3 * i));
  }
  EXPECT_NEAR(*shift_between(first, second).value, 5, 0.01);
  EXPECT_NEAR(*shift_of_pairs(second).value, 105, 0.01);
}

}  // namespace
}  // namespace jouletree
