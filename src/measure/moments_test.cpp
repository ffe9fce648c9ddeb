#include "measure/moments.hpp"

#include <gtest/gtest.h>

#include "support/instants.hpp"

namespace jouletree::measure {
namespace {

using test::at;

class Moments : public testing::Test {
 protected:
  void add(double begin, double seconds, int windows = 1) {
    for (int i = 0; i < windows; ++i) {
      trials.windows.push_back({at(begin + 0.02 * i), at(begin + 0.02 * (i + 1))});
      trials.seconds.push_back(seconds);
    }
  }
  [[nodiscard]] Summary summary() const { return summary_over_moments(trials); }

  Trials trials;
};

TEST_F(Moments, EachCountsOnceHoweverManyWindowsItHas) {
  add(0, 10, 20);
  for (int i = 1; i <= 8; ++i) add(i, 25 + i);
  EXPECT_DOUBLE_EQ(summary().median, 29);
  EXPECT_DOUBLE_EQ(summary().median_low, 26);
  EXPECT_DOUBLE_EQ(summary().median_high, 32);
  EXPECT_EQ(summary().n, 28U) << "windows";
  EXPECT_DOUBLE_EQ(summary().min, 10);
}

TEST_F(Moments, ALongSeriesIsSeveralOfThem) {
  add(0, 10, 100);
  add(5, 20);
  add(6, 20);
  EXPECT_DOUBLE_EQ(summary().median, 10) << "four or five of 10, and two of 20";
}

TEST_F(Moments, FewOfThemWidenTheIntervalOfTheWindows) {
  add(0, 10, 20);
  EXPECT_DOUBLE_EQ(summary().median_high, 10);
  add(3, 17);
  EXPECT_DOUBLE_EQ(summary().median, 10);
  EXPECT_DOUBLE_EQ(summary().median_low, 10);
  EXPECT_DOUBLE_EQ(summary().median_high, 17);
}

TEST_F(Moments, ASteadyMachineIsKnownExactly) {
  add(0, 10, 20);
  for (int i = 1; i <= 5; ++i) add(i, 10);
  EXPECT_DOUBLE_EQ(summary().median, 10);
  EXPECT_EQ(summary().uncertainty(), 0);
}

TEST_F(Moments, OneWindowIsEnough) {
  add(0, 10);
  EXPECT_DOUBLE_EQ(summary().median, 10);
  EXPECT_EQ(summary().n, 1U);
}

}  // namespace
}  // namespace jouletree::measure
