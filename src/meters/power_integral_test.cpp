#include "meters/power_integral.hpp"

#include <gtest/gtest.h>

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Time kBegin{seconds(1000)};

TEST(PowerIntegral, IsPowerTimesTimeWhereNothingChanges) {
  PowerIntegral integral(milliseconds(20), 0);
  for (int i = 0; i <= 100; ++i)
    EXPECT_EQ(integral.add(Watts{50}, kBegin + i * milliseconds(20)), GapReason::None);
  EXPECT_EQ(integral.total(), Joules::from(100));
  EXPECT_EQ(integral.doubt(), Joules{0});
}

TEST(PowerIntegral, DoubtsWhenAChangeHappened) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{50}, kBegin);
  (void)integral.add(Watts{150}, kBegin + milliseconds(100));
  // The step may have come at any moment of the 100 ms, or 20 ms before.
  EXPECT_EQ(integral.total(), Joules::from(10));
  EXPECT_EQ(integral.doubt(), Joules::from(100 * 0.070));
}

TEST(PowerIntegral, DoesNotInventEnergyForTimeThatNobodySaw) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{50}, kBegin);
  EXPECT_EQ(integral.add(Watts{50}, kBegin + seconds(3600)), GapReason::Late);
  EXPECT_EQ(integral.total(), Joules{0});
  EXPECT_EQ(integral.add(Watts{50}, kBegin + seconds(3601)), GapReason::None);
  EXPECT_EQ(integral.total(), Joules::from(50));
}

TEST(PowerIntegral, BelievesNeitherNegativePowerNorThatOfAPowerStation) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{-3}, kBegin);
  EXPECT_EQ(integral.add(Watts{-3}, kBegin + milliseconds(20)), GapReason::None);
  EXPECT_EQ(integral.add(Watts{1e12}, kBegin + milliseconds(40)), GapReason::Failed);
  EXPECT_EQ(integral.add(Watts{50}, kBegin + milliseconds(60)), GapReason::Failed);
  EXPECT_EQ(integral.total(), Joules{0});
}

TEST(PowerIntegral, StartsAnewAfterASleep) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{50}, kBegin);
  integral.forget(GapReason::Suspended);
  EXPECT_EQ(integral.add(Watts{70}, kBegin + milliseconds(20)), GapReason::Suspended);
  EXPECT_EQ(integral.total(), Joules{0});
}

}  // namespace
}  // namespace jouletree::meters
