#include "measure/time_plan.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

using std::chrono::seconds;
using Duration = TimePlan::Duration;

const TimePlan::Clock::time_point kBegin{};

TEST(TimePlan, WithoutABudgetWindowsLastFiftyUpdatesOfTheMeter) {
  const TimePlan plan(0.02, Duration(0.1), std::nullopt, true, kBegin);
  const Duration left = plan.left_for_operators(kBegin + std::chrono::hours(10));
  EXPECT_GT(left, std::chrono::hours(1000));
  EXPECT_DOUBLE_EQ(plan.part(left).least.count(), 5);
  EXPECT_DOUBLE_EQ(plan.part(left).most.count(), 10);
}

TEST(TimePlan, TheWholeLastsFiftyUpdatesToo) {
  const TrialPlan whole = TimePlan(0.02, Duration(0.1), std::nullopt, true, kBegin).whole();
  EXPECT_DOUBLE_EQ(whole.least.count(), 5);
  EXPECT_DOUBLE_EQ(whole.most.count(), 10);
  const TrialPlan slow = TimePlan(0.05, Duration(0.5), std::nullopt, true, kBegin).whole();
  EXPECT_DOUBLE_EQ(slow.least.count(), 25);
  EXPECT_DOUBLE_EQ(slow.most.count(), 50);
  EXPECT_EQ(slow.precision, 0.05);
}

TEST(TimePlan, QuickMetersDoNotMakeSeriesShorterThanTheirSpreadNeeds) {
  const TimePlan plan(0.02, Duration(0.001), std::nullopt, true, kBegin);
  EXPECT_DOUBLE_EQ(plan.part(Duration(100)).most.count(), 3);
  EXPECT_DOUBLE_EQ(plan.whole().most.count(), 10);
}

TEST(TimePlan, ABudgetMayMakeSeriesShorterThanTheMetersNeed) {
  const TimePlan plan(0.02, Duration(0.1), Duration(10), true, kBegin);
  for (const TrialPlan& one : {plan.part(Duration(1)), plan.whole()}) {
    EXPECT_LT(one.most.count(), 5);
    EXPECT_EQ(one.least, one.most);
  }
}

TEST(TimePlan, LoadingNeverTakesAllOfTheTime) {
  TimePlan plan(0.02, Duration(0.01), Duration(100), true, kBegin);
  plan.took(Duration(0), Duration(1000));
  EXPECT_DOUBLE_EQ(plan.part(Duration(3)).most.count(), 0.1 * 3);
}

TEST(TimePlan, WindowsLeaveRoomForLoading) {
  TimePlan plan(0.02, Duration(0.01), Duration(100), true, kBegin);
  EXPECT_DOUBLE_EQ(plan.part(Duration(3)).most.count(), 0.7 * 3);
  plan.took(Duration(1.3), Duration(3));
  EXPECT_DOUBLE_EQ(plan.part(Duration(3)).most.count(), 0.5 * 3);
}

TEST(TimePlan, OperatorsLeaveTimeForModules) {
  const TimePlan with(0.02, Duration(0.01), Duration(100), true, kBegin);
  EXPECT_DOUBLE_EQ(with.left_for_operators(kBegin + seconds(70)).count(), 5);
  EXPECT_DOUBLE_EQ(with.left_for_modules(kBegin + seconds(70)).count(), 30);
  const TimePlan without(0.02, Duration(0.01), Duration(100), false, kBegin);
  EXPECT_DOUBLE_EQ(without.left_for_operators(kBegin + seconds(70)).count(), 30);
}

TEST(TimePlan, ABudgetForAllFollowsFromWhatOperatorsTook) {
  const TimePlan plan(0.02, Duration(0.01), Duration(5), false, kBegin);
  // A tenth of the operators took 4 s: 40 s for all, half as much again for repeats, and 1 s
  // before.
  const double all = (1 + 1.5 * 40) / 0.85;
  const double told = plan.budget_for_all({Duration(1), Duration(4), 0.1, 100, 20}).count();
  EXPECT_GE(told, all);
  EXPECT_LE(told, all + 5);
  EXPECT_EQ(told, 5 * std::round(told / 5)) << "a number that people type";
}

TEST(TimePlan, ABudgetForAllGivesEveryOperatorTimeHoweverLittleItDeserves) {
  const TimePlan plan(0.02, Duration(0.01), Duration(1), false, kBegin);
  // One of 50 took half a second. It takes a quarter of the model's time, but the others have to be
  // loaded, too.
  const double told = plan.budget_for_all({Duration(0.5), Duration(0.5), 0.25, 50, 1}).count();
  EXPECT_GE(told, (0.5 + 1.5 * 50 * 0.5) / 0.85);
}

TEST(TimePlan, ABudgetForAllIsMoreThanTheOneThatDidNotDo) {
  const TimePlan plan(0.02, Duration(0.01), Duration(5), true, kBegin);
  EXPECT_GT(plan.budget_for_all({Duration(0.1), Duration(0.1), 0.9, 2, 1}).count(), 5);
}

TEST(TimePlan, WithoutAnyOperatorABudgetForAllGrowsWithTheirNumber) {
  const TimePlan plan(0.02, Duration(0.01), Duration(0.1), true, kBegin);
  EXPECT_GT(plan.budget_for_all({Duration(1), Duration(0), 0, 200}),
            plan.budget_for_all({Duration(1), Duration(0), 0, 100}));
}

TEST(TimePlan, ShortSharesStillGiveAWindow) {
  const TimePlan plan(0.02, Duration(0.01), Duration(1), true, kBegin);
  EXPECT_GT(plan.part(Duration(1e-6)).most.count(), 0.01);
}

TEST(TimePlan, ALargeBudgetIsNotUsedUpByTheWholeModel) {
  const TimePlan small(0.02, Duration(0.01), Duration(10), true, kBegin);
  EXPECT_DOUBLE_EQ(small.whole().most.count(), 0.7 * 0.15 * 10);
  const TimePlan large(0.02, Duration(0.01), Duration(10000), true, kBegin);
  EXPECT_LE(large.whole().most.count(), 10);
}

}  // namespace
}  // namespace jouletree::measure
