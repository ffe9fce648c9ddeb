#include "measure/speed_of_whole.hpp"

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

Time at(int second) { return Time(std::chrono::seconds(second)); }

/// One window per second.
Trials trials_of_whole(const std::vector<double>& seconds) {
  Trials trials;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const int second = static_cast<int>(i);
    trials.windows.push_back({at(second), at(second)});
    trials.seconds.push_back(seconds[i]);
  }
  trials.time = summarize(trials.seconds);
  return trials;
}

Time between(int second, int next) { return at(second) + (at(next) - at(second)) / 2; }

TEST(SpeedOfWhole, IsOneOnASteadyMachine) {
  const SpeedOfWhole speed(trials_of_whole({2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_DOUBLE_EQ(speed.relative_time_around(between(2, 3), between(4, 5)), 1);
}

TEST(SpeedOfWhole, TellsHowMuchSlowerTheWholeWasBeforeAndAfter) {
  const SpeedOfWhole speed(trials_of_whole({2, 2, 2, 2, 3, 3, 2, 2, 2}));
  EXPECT_DOUBLE_EQ(speed.relative_time_around(between(1, 2), between(2, 3)), 1);
  EXPECT_DOUBLE_EQ(speed.relative_time_around(between(4, 5), between(4, 5)), 1.5);
}

TEST(SpeedOfWhole, TakesTheMeanOfWindowsThatAreAlike) {
  const SpeedOfWhole speed(trials_of_whole({2, 2, 2, 2.04, 2, 2}));
  EXPECT_DOUBLE_EQ(speed.relative_time_around(between(2, 3), between(2, 3)), 1.01);
}

TEST(SpeedOfWhole, DoesNotTrustASingleWindow) {
  const SpeedOfWhole speed(trials_of_whole({2, 2, 2, 2, 9, 2, 2, 2, 2}));
  EXPECT_DOUBLE_EQ(speed.relative_time_around(between(3, 4), between(3, 4)), 1);
  EXPECT_DOUBLE_EQ(speed.relative_time_around(between(4, 5), between(5, 6)), 1);
}

TEST(SpeedOfWhole, TakesTheNearestWindowBeforeTheFirstAndAfterTheLast) {
  const SpeedOfWhole speed(trials_of_whole({1, 2, 2, 2, 3}));
  EXPECT_DOUBLE_EQ(speed.relative_time_around(at(-5), at(-4)), 0.5);
  EXPECT_DOUBLE_EQ(speed.relative_time_around(at(100), at(101)), 1.5);
}

TEST(SpeedOfWhole, IsContentWithOneWindow) {
  const SpeedOfWhole speed(trials_of_whole({2}));
  EXPECT_DOUBLE_EQ(speed.relative_time_around(at(-1), at(-1)), 1);
  EXPECT_DOUBLE_EQ(speed.relative_time_around(at(1), at(2)), 1);
}

TEST(SpeedOfWhole, IsOneWhereNoWindowLiesOutside) {
  const SpeedOfWhole speed(trials_of_whole({2, 2}));
  EXPECT_DOUBLE_EQ(speed.relative_time_around(at(-1), at(5)), 1);
}

}  // namespace
}  // namespace jouletree::measure
