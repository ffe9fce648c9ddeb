#include "measure/speed_of_whole.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

Time at(int second) { return Time(std::chrono::seconds(second)); }

/// One window per second.
Trials whole(const std::vector<double>& seconds) {
  Trials trials;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const int second = static_cast<int>(i);
    trials.windows.push_back({at(second), at(second)});
    trials.seconds.push_back(seconds[i]);
  }
  trials.time = summarize(trials.seconds);
  return trials;
}

TEST(SpeedOfWhole, IsOneOnASteadyMachine) {
  const SpeedOfWhole speed(whole({2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_DOUBLE_EQ(speed.factor_at(at(3)), 1);
}

TEST(SpeedOfWhole, ScalesWhatWasMeasuredOnASlowerMachine) {
  const SpeedOfWhole speed(whole({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4}));
  EXPECT_DOUBLE_EQ(speed.factor_at(at(2)), 1);
  EXPECT_DOUBLE_EQ(speed.factor_at(at(17)), 0.5);
}

TEST(SpeedOfWhole, DoesNotTrustASingleWindow) {
  const SpeedOfWhole speed(whole({2, 2, 2, 2, 9, 2, 2, 2, 2}));
  EXPECT_DOUBLE_EQ(speed.factor_at(at(4)), 1);
}

TEST(SpeedOfWhole, TakesTheNearestWindowsBeforeTheFirstAndAfterTheLast) {
  const SpeedOfWhole speed(whole({1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3}));
  EXPECT_DOUBLE_EQ(speed.factor_at(at(-5)), 2);
  EXPECT_DOUBLE_EQ(speed.factor_at(at(100)), 2.0 / 3);
}

TEST(SpeedOfWhole, TellsHowMuchSlowerTheWholeWasBothBeforeAndAfter) {
  const SpeedOfWhole speed(whole({2, 2, 2, 2, 3, 4, 2, 2, 2}));
  const auto half = std::chrono::milliseconds(500);
  EXPECT_DOUBLE_EQ(speed.slowdown_around(at(1) + half, at(2) + half), 0);
  EXPECT_DOUBLE_EQ(speed.slowdown_around(at(3) + half, at(3) + half), 0);
  EXPECT_DOUBLE_EQ(speed.slowdown_around(at(4) + half, at(4) + half), 0.5);
  EXPECT_DOUBLE_EQ(speed.slowdown_around(at(-1), at(20)), 0);
}

TEST(SpeedOfWhole, IsContentWithOneWindow) {
  EXPECT_DOUBLE_EQ(SpeedOfWhole(whole({2})).factor_at(at(0)), 1);
}

}  // namespace
}  // namespace jouletree
