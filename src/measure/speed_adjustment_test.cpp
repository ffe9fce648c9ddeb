#include "measure/speed_adjustment.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>

#include "support/instants.hpp"

namespace jouletree::measure {
namespace {

using test::at;
using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Gt;
using testing::Le;
using testing::Lt;

/// One short window per second.
Trials whole(const std::vector<double>& seconds) {
  Trials trials;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const auto second = static_cast<double>(i);
    trials.windows.push_back({at(second), at(second + 0.1)});
    trials.seconds.push_back(seconds[i]);
  }
  trials.time = summarize(trials.seconds);
  return trials;
}

/// Between a window and the next.
SeriesSpan after_window(int window) { return {at(window + 0.2), at(window + 0.9)}; }

std::vector<SeriesSpan> one_after_each(std::size_t windows) {
  std::vector<SeriesSpan> series;
  for (std::size_t i = 0; i + 1 < windows; ++i) series.push_back(after_window(static_cast<int>(i)));
  return series;
}

std::vector<double> values_of(const SpeedAdjustment& speed) {
  std::vector<double> values;
  for (const auto& factor : speed.factors()) values.push_back(factor.value);
  return values;
}

/// What `series` equal parts add up to after the adjustment, as a share of what was measured.
double adjusted_share(const SpeedAdjustment& speed) {
  double sum = 0;
  for (const double value : values_of(speed)) sum += 1 / value;
  return sum / static_cast<double>(speed.factors().size());
}

/// Windows that have nothing to do with each other.
std::vector<double> noise(std::size_t windows, double deviation, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, deviation);
  std::vector<double> seconds;
  for (std::size_t i = 0; i < windows; ++i) seconds.push_back(std::exp(normal(random)));
  return seconds;
}

TEST(SpeedAdjustment, LeavesASteadyMachineAlone) {
  const SpeedAdjustment speed(whole(std::vector<double>(9, 2.0)), one_after_each(9));
  EXPECT_THAT(values_of(speed), Each(1.0));
  EXPECT_EQ(speed.common_low(), 1);
  EXPECT_EQ(speed.common_high(), 1);
  EXPECT_EQ(speed.scatter(), 0);
}

TEST(SpeedAdjustment, FollowsAMachineThatIsSlowerForAWhile) {
  std::vector<double> seconds(30, 2.0);
  for (std::size_t i = 10; i < 15; ++i) seconds[i] = 3;
  const SpeedAdjustment speed(whole(seconds), one_after_each(30));
  EXPECT_DOUBLE_EQ(speed.factors()[5].value, 1);
  EXPECT_DOUBLE_EQ(speed.factors()[12].value, 1.5);
  EXPECT_DOUBLE_EQ(speed.factors()[12].low, 1.5) << "windows beside each other agree";
  EXPECT_DOUBLE_EQ(speed.factors()[9].value, 1) << "a change may be a burst";
}

TEST(SpeedAdjustment, FollowsASlowDrift) {
  std::vector<double> seconds;
  for (int i = 0; i < 40; ++i) seconds.push_back(2 * std::exp(0.01 * i));
  const SpeedAdjustment speed(whole(seconds), one_after_each(40));
  EXPECT_NEAR(speed.factors()[0].value / speed.factors()[38].value, std::exp(-0.38), 0.02);
}

TEST(SpeedAdjustment, DoesNotTrustASingleWindow) {
  std::vector<double> seconds(20, 2.0);
  seconds[8] = 9;
  const SpeedAdjustment speed(whole(seconds), one_after_each(20));
  EXPECT_THAT(values_of(speed), Each(1.0));
}

TEST(SpeedAdjustment, RefusesCorrectionsThatAreNoise) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const SpeedAdjustment speed(whole(noise(25, 0.4, seed)), one_after_each(25));
    EXPECT_THAT(adjusted_share(speed), AllOf(Gt(0.75), Lt(1.35))) << seed;
    for (const auto& factor : speed.factors())
      EXPECT_THAT(factor.value, AllOf(Ge(factor.low), Le(factor.high)));
    EXPECT_THAT(speed.common_low(), Lt(1)) << "the doubt is told";
    EXPECT_THAT(speed.common_high(), Gt(1));
    EXPECT_NEAR(speed.scatter(), std::expm1(0.4), 0.35);
  }
}

TEST(SpeedAdjustment, FewWindowsOfAnUnsteadyMachineDoNotDoubleASum) {
  // The whole took 60 in its first series, and 30 or 90 beside the only operator.
  std::vector<double> seconds{60, 62, 58, 61, 59, 60, 63, 30, 31};
  const SeriesSpan only = after_window(7);
  const SpeedAdjustment calm(whole(seconds), std::vector{only});
  EXPECT_NEAR(calm.factors()[0].value, 0.5, 0.05) << "all else was steady";
  seconds = {60, 95, 30, 61, 140, 60, 33, 30, 31, 75};
  const SpeedAdjustment wild(whole(seconds), std::vector{only});
  EXPECT_GT(wild.factors()[0].value, 0.9);
  EXPECT_THAT(wild.common_low(), Lt(0.6));
}

TEST(SpeedAdjustment, KeepsWhatAllSeriesHaveInCommon) {
  // Slow at first, then quick by half: many noisy windows together tell that for sure.
  std::vector<double> seconds = noise(60, 0.15, 7);
  for (std::size_t i = 0; i < 35; ++i) seconds[i] *= 2;
  std::vector<SeriesSpan> late;
  for (int i = 36; i < 59; ++i) late.push_back(after_window(i));
  const SpeedAdjustment speed(whole(seconds), late);
  EXPECT_NEAR(adjusted_share(speed), whole(seconds).time.median, 0.15);
}

TEST(SpeedAdjustment, TakesTheNearestWindowBeforeTheFirstAndAfterTheLast) {
  std::vector<double> seconds(20, 2.0);
  seconds.front() = 1;
  seconds.back() = 3;
  const SpeedAdjustment speed(whole(seconds),
                              std::vector<SeriesSpan>{{at(-5), at(-4)}, {at(100), at(101)}});
  EXPECT_DOUBLE_EQ(speed.factors()[0].value, 0.5);
  EXPECT_DOUBLE_EQ(speed.factors()[1].value, 1.5);
}

TEST(SpeedAdjustment, IsContentWithOneWindowAndWithNoSeries) {
  const SpeedAdjustment one(whole({2}), std::vector{after_window(0)});
  EXPECT_THAT(values_of(one), Each(1.0));
  const SpeedAdjustment none(whole({2, 2}), {});
  EXPECT_TRUE(none.factors().empty());
  EXPECT_EQ(none.common_high(), 1);
}

}  // namespace
}  // namespace jouletree::measure
