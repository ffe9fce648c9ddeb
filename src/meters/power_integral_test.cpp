#include "meters/power_integral.hpp"

#include <gtest/gtest.h>

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Time kFirst{seconds(1000)};

TEST(PowerIntegral, IsPowerTimesTimeWhereNothingChanges) {
  PowerIntegral integral(milliseconds(20), 0);
  for (int i = 0; i <= 100; ++i)
    EXPECT_EQ(integral.add(Watts{50}, kFirst + i * milliseconds(20)), GapReason::None);
  EXPECT_EQ(integral.total(), Joules::from(100));
  EXPECT_EQ(integral.doubt(), Joules{0});
}

TEST(PowerIntegral, DoubtsWhenAChangeHappened) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{50}, kFirst);
  (void)integral.add(Watts{150}, kFirst + milliseconds(100));
  // The step may have come at any moment of the 100 ms, or 20 ms before.
  EXPECT_EQ(integral.total(), Joules::from(10));
  EXPECT_EQ(integral.doubt(), Joules::from(100 * 0.070));
}

TEST(PowerIntegral, DoesNotInventEnergyForTimeThatNobodySaw) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{50}, kFirst);
  EXPECT_EQ(integral.add(Watts{50}, kFirst + seconds(3600)), GapReason::Late);
  EXPECT_EQ(integral.total(), Joules{0});
  EXPECT_EQ(integral.add(Watts{50}, kFirst + seconds(3601)), GapReason::None);
  EXPECT_EQ(integral.total(), Joules::from(50));
}

TEST(PowerIntegral, BelievesNeitherNegativePowerNorThatOfAPowerStation) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{-3}, kFirst);
  EXPECT_EQ(integral.add(Watts{-3}, kFirst + milliseconds(20)), GapReason::None);
  EXPECT_EQ(integral.add(Watts{1e12}, kFirst + milliseconds(40)), GapReason::Failed);
  EXPECT_EQ(integral.add(Watts{50}, kFirst + milliseconds(60)), GapReason::Failed);
  EXPECT_EQ(integral.total(), Joules{0});
}

TEST(PowerIntegral, SaysSoWhereAMeterCountsBackwards) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{50}, kFirst);
  EXPECT_EQ(integral.add(Watts{-80}, kFirst + milliseconds(20)), GapReason::Failed);
  EXPECT_EQ(integral.add(Watts{-80}, kFirst + milliseconds(40)), GapReason::Failed);
  EXPECT_EQ(integral.total(), Joules{0});
}

TEST(PowerIntegral, StartsAnewAfterASleep) {
  PowerIntegral integral(milliseconds(20), 0);
  (void)integral.add(Watts{50}, kFirst);
  integral.forget(GapReason::Suspended);
  EXPECT_EQ(integral.add(Watts{70}, kFirst + milliseconds(20)), GapReason::Suspended);
  EXPECT_EQ(integral.total(), Joules{0});
}

}  // namespace
}  // namespace jouletree::meters
