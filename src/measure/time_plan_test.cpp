#include "measure/time_plan.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

using std::chrono::seconds;
using Duration = TimePlan::Duration;

const TimePlan::Clock::time_point kBegin{};

TEST(TimePlan, WithoutABudgetWindowsLastFiftyUpdatesOfTheMeter) {
  const TimePlan plan(0.02, Duration(0.1), std::nullopt, true, kBegin);
  EXPECT_DOUBLE_EQ(plan.for_operator(0.001, kBegin).least.count(), 5);
  EXPECT_DOUBLE_EQ(plan.for_operator(0.001, kBegin).most.count(), 10);
  EXPECT_FALSE(plan.over_for_operators(kBegin + std::chrono::hours(10)));
}

TEST(TimePlan, ABudgetIsSharedByWhatIsLeftToDo) {
  const TimePlan plan(0.02, Duration(0.01), Duration(100), true, kBegin);
  const TrialPlan first = plan.for_operator(0.5, kBegin + seconds(15));
  EXPECT_DOUBLE_EQ(first.most.count(), 0.7 * 0.5 * 60);
  const TrialPlan last = plan.for_operator(1, kBegin + seconds(70));
  EXPECT_DOUBLE_EQ(last.most.count(), 0.7 * 5);
  EXPECT_DOUBLE_EQ(plan.for_module(5, kBegin + seconds(75)).most.count(), 0.7 * 5);
}

TEST(TimePlan, WindowsLeaveRoomForLoading) {
  TimePlan plan(0.02, Duration(0.01), Duration(100), true, kBegin);
  plan.took(Duration(1.3), Duration(3));
  EXPECT_DOUBLE_EQ(plan.for_operator(0.5, kBegin + seconds(15)).most.count(), 0.5 * 0.5 * 60);
}

TEST(TimePlan, OperatorsLeaveTimeForModules) {
  const TimePlan with(0.02, Duration(0.01), Duration(100), true, kBegin);
  EXPECT_TRUE(with.over_for_operators(kBegin + seconds(75)));
  EXPECT_FALSE(with.over_for_modules(kBegin + seconds(75)));
  EXPECT_TRUE(with.over_for_modules(kBegin + seconds(100)));
  const TimePlan without(0.02, Duration(0.01), Duration(100), false, kBegin);
  EXPECT_FALSE(without.over_for_operators(kBegin + seconds(99)));
}

TEST(TimePlan, ShortSharesStillGiveAWindow) {
  const TimePlan plan(0.02, Duration(0.01), Duration(1), true, kBegin);
  EXPECT_GT(plan.for_operator(1e-6, kBegin).most.count(), 0.01);
}

}  // namespace
}  // namespace jouletree
