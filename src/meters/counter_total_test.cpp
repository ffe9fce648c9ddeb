#include "meters/counter_total.hpp"

#include <gtest/gtest.h>

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t kRange = 262143328850;
const CounterScale kRapl{1e-6, kRange, Watts{1000}};
const Time kBegin{seconds(1000)};

TEST(CounterTotal, StartsFromZeroWhateverTheCounterShows) {
  CounterTotal total(kRapl);
  EXPECT_EQ(total.add(5'000'000, kBegin), GapReason::None);
  EXPECT_EQ(total.total(), Joules{0});
  EXPECT_EQ(total.add(5'000'700, kBegin + milliseconds(1)), GapReason::None);
  EXPECT_EQ(total.total(), Joules{700});
}

TEST(CounterTotal, KeepsCountingAcrossAWrap) {
  CounterTotal total(kRapl);
  (void)total.add(kRange - 10, kBegin);
  EXPECT_EQ(total.add(15, kBegin + milliseconds(10)), GapReason::None);
  EXPECT_EQ(total.total(), Joules{25});
}

TEST(CounterTotal, LosesNothingOverManyWraps) {
  constexpr std::uint64_t kSmallRange = 10'000'000;  // 10 J
  CounterTotal total({1e-6, kSmallRange, Watts{1000}});
  std::uint64_t truth = 9'999'999;
  for (int i = 0; i <= 5000; ++i) {
    EXPECT_EQ(total.add(truth % kSmallRange, kBegin + i * milliseconds(1)), GapReason::None);
    truth += 87'654;
  }
  EXPECT_EQ(total.total().micro, 5000 * 87'654);
}

TEST(CounterTotal, DoesNotGuessWhereTheCounterMayHaveWrappedTwice) {
  CounterTotal total(kRapl);
  (void)total.add(100, kBegin);
  // 262 kJ pass in 262 s at a kilowatt.
  EXPECT_EQ(total.add(200, kBegin + seconds(300)), GapReason::Wraps);
  EXPECT_EQ(total.total(), Joules{0});
  EXPECT_EQ(total.add(250, kBegin + seconds(301)), GapReason::None);
  EXPECT_EQ(total.total(), Joules{50});
}

TEST(CounterTotal, TellsAResetFromAWrap) {
  CounterTotal total(kRapl);
  (void)total.add(100'000'000, kBegin);
  EXPECT_EQ(total.add(10, kBegin + milliseconds(10)), GapReason::Reset);
  EXPECT_EQ(total.total(), Joules{0});
  EXPECT_EQ(total.add(30, kBegin + milliseconds(20)), GapReason::None);
  EXPECT_EQ(total.total(), Joules{20});
}

TEST(CounterTotal, TakesACounterThatNeverWrapsForResetWhenItFalls) {
  CounterTotal total({1e-3, 0, Watts{1000}});
  (void)total.add(1000, kBegin);
  EXPECT_EQ(total.add(999, kBegin + seconds(1000)), GapReason::Reset);
  EXPECT_EQ(total.total(), Joules{0});
}

TEST(CounterTotal, DoesNotBelieveALeapThatNoDeviceCanMake) {
  CounterTotal total({1e-3, 0, Watts{1000}});
  (void)total.add(1000, kBegin);
  EXPECT_EQ(total.add(~0ULL - 5, kBegin + milliseconds(10)), GapReason::Failed);
  EXPECT_EQ(total.add(2000, kBegin + milliseconds(20)), GapReason::Reset);
  EXPECT_EQ(total.add(2300, kBegin + milliseconds(30)), GapReason::None);
  EXPECT_EQ(total.total(), Joules::from(0.3));
}

TEST(CounterTotal, StartsAnewAfterASleep) {
  CounterTotal total(kRapl);
  (void)total.add(1000, kBegin);
  total.forget(GapReason::Suspended);
  EXPECT_EQ(total.add(900'000'000, kBegin + milliseconds(10)), GapReason::Suspended);
  EXPECT_EQ(total.total(), Joules{0});
}

TEST(CounterTotal, KeepsUnitsSmallerThanAMicrojoule) {
  const double unit = 1.0 / 4294967296.0;
  CounterTotal total({unit, 0, Watts{1000}});
  (void)total.add(0, kBegin);
  for (std::uint64_t i = 1; i <= 1000; ++i) (void)total.add(i * 4295, kBegin + i * milliseconds(1));
  // 4295 counts are 1.000008 µJ; rounding each would lose them.
  EXPECT_EQ(total.total(), Joules{1000});
}

}  // namespace
}  // namespace jouletree::meters
