#include "base/change_points.hpp"

#include <random>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

constexpr unsigned kSeeds = 20;

/// Values around these levels, each as often as it stands here.
std::vector<double> history(unsigned seed, const std::vector<std::pair<int, double>>& levels,
                            double deviation) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, deviation);
  std::vector<double> values;
  for (const auto& [count, level] : levels)
    for (int i = 0; i < count; ++i) values.push_back(level * (1 + noise(random)));
  return values;
}

TEST(ChangePoints, NoiseAloneHasNone) {
  for (const int length : {12, 60, 300}) {
    unsigned quiet = 0;
    for (unsigned seed = 1; seed <= kSeeds; ++seed)
      if (change_points(history(seed, {{length, 10.0}}, 0.03)).empty()) ++quiet;
    EXPECT_GE(quiet, kSeeds - 1) << length << " values";
  }
}

TEST(ChangePoints, AStepIsFoundWhereItIs) {
  unsigned found = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const auto changes = change_points(history(seed, {{20, 10.0}, {8, 11.0}}, 0.02));
    if (changes.size() != 1) continue;
    EXPECT_NEAR(changes[0].before, 10, 0.2);
    EXPECT_NEAR(changes[0].after, 11, 0.3);
    EXPECT_LE(changes[0].p, 0.01);
    if (changes[0].at >= 19 && changes[0].at <= 21) ++found;
  }
  EXPECT_GE(found, kSeeds - 1);
}

TEST(ChangePoints, TwoStepsAreBothFound) {
  unsigned found = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const auto changes = change_points(history(seed, {{25, 10.0}, {15, 11.5}, {20, 9.0}}, 0.03));
    if (changes.size() != 2) continue;
    if (changes[0].at >= 24 && changes[0].at <= 26 && changes[1].at >= 39 && changes[1].at <= 41)
      ++found;
  }
  EXPECT_GE(found, kSeeds - 1);
}

TEST(ChangePoints, AnOutlierIsNoLevel) {
  std::vector<double> values = history(3, {{30, 10.0}}, 0.01);
  values[14] = 90;
  values[15] = 80;
  EXPECT_TRUE(change_points(values).empty());
}

TEST(ChangePoints, ShortAndConstantHistoriesHaveNone) {
  EXPECT_TRUE(change_points({}).empty());
  EXPECT_TRUE(change_points(std::vector<double>{1, 1, 1, 9, 9}).empty());
  EXPECT_TRUE(change_points(std::vector<double>(40, 2.0)).empty());
}

TEST(ChangePoints, OfALongHistoryTheEndIsSearched) {
  std::vector<double> values = history(5, {{200, 20.0}, {1400, 10.0}, {100, 12.0}}, 0.02);
  const auto changes = change_points(values);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_NEAR(static_cast<double>(changes[0].at), 1600, 1);
}

}  // namespace
}  // namespace jouletree
