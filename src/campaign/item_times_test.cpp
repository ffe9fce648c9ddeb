#include "campaign/item_times.hpp"

#include <gtest/gtest.h>

#include "campaign/run_item.hpp"

namespace jouletree::campaign {
namespace {

/// 2 s for the model and 0.5 s for each operator.
TimedItem done(std::int64_t measured) {
  TimedItem item;
  item.seconds = 2 + 0.5 * static_cast<double>(measured);
  item.measured = measured;
  item.kinds = measured;
  return item;
}

TEST(ItemTimes, GuessWhereNothingWasMeasured) {
  const ItemTimes times({});
  EXPECT_EQ(times.learned_from(), 0);
  EXPECT_GT(times.seconds_for({}, 0), 0);
  EXPECT_GT(times.seconds_for({}, 10), times.seconds_for({}, 1));
}

TEST(ItemTimes, LearnWhatEachModelAndEachOperatorTakes) {
  const ItemTimes times({done(2), done(8), done(20)});
  EXPECT_EQ(times.learned_from(), 3);
  Item item;
  item.baseline_s = 0;
  EXPECT_NEAR(times.seconds_for(item, 0), 2, 1e-9);
  EXPECT_NEAR(times.seconds_for(item, 100), 52, 1e-9);
}

TEST(ItemTimes, TakeAnOddItemForWhatItIs) {
  std::vector<TimedItem> items;
  for (std::int64_t i = 0; i < 9; ++i) items.push_back(done(2 * i));
  items[4].seconds = 900;  // somebody suspended the machine
  Item item;
  item.baseline_s = 0;
  EXPECT_NEAR(ItemTimes(items).seconds_for(item, 100), 52, 1);
}

TEST(ItemTimes, KeepTheIdleMeasurementApart) {
  std::vector<TimedItem> items = {done(2), done(8), done(20)};
  for (TimedItem& item : items) {
    item.baseline_s = 10;
    item.seconds += 10;
  }
  Item item;
  item.baseline_s = 0;
  EXPECT_NEAR(ItemTimes(items).seconds_for(item, 4), 4, 1e-9);
  item.baseline_s = 3;
  EXPECT_NEAR(ItemTimes(items).seconds_for(item, 4), 7, 1e-9);
}

TEST(ItemTimes, OfOneItemIsNoMoreThanThatItemTook) {
  const ItemTimes times({done(4)});
  EXPECT_EQ(times.learned_from(), 1);
  Item item;
  item.baseline_s = 0;
  EXPECT_NEAR(times.seconds_for(item, 4), 4, 1e-9) << "the same again takes the same";
  EXPECT_LE(times.seconds_for(item, 0), 4);
}

TEST(ItemTimes, OfItemsThatReusedEverythingSayNothingOfOperators) {
  const ItemTimes guess({});
  const ItemTimes times({done(0), done(0), done(0), done(0)});
  Item item;
  item.baseline_s = 0;
  EXPECT_NEAR(times.seconds_for(item, 0), 2, 1e-9);
  EXPECT_NEAR(times.seconds_for(item, 10) - times.seconds_for(item, 0),
              guess.seconds_for(item, 10) - guess.seconds_for(item, 0), 1e-9);
}

TEST(ItemTimes, DoNotLearnFromWhatABudgetCutOff) {
  std::vector<TimedItem> items = {done(2), done(8), done(20)};
  for (int i = 0; i < 5; ++i) {
    TimedItem cut = done(30);
    cut.seconds = 1;
    cut.budget_s = 1;
    items.push_back(cut);
  }
  Item item;
  item.baseline_s = 0;
  EXPECT_NEAR(ItemTimes(items).seconds_for(item, 100), 52, 1e-9);
}

TEST(ItemTimes, AreNoLongerThanTheBudget) {
  const ItemTimes times({done(2), done(8), done(20)});
  Item item;
  item.baseline_s = 0;
  item.budget_s = 5;
  EXPECT_LE(times.seconds_for(item, 100), 6);
  EXPECT_NEAR(times.seconds_for(item, 2), 3, 1e-9) << "a budget is not used up for its own sake";
}

TEST(ItemTimes, LearnHowManyOperatorsATargetNeeds) {
  std::vector<TimedItem> items = {done(2), done(8), done(20)};
  for (TimedItem& item : items) {
    item.has_target = true;
    item.kinds = 4 * item.measured;
  }
  Item item;
  item.baseline_s = 0;
  item.target_share = 0.9;
  EXPECT_NEAR(ItemTimes(items).seconds_for(item, 40), 2 + 0.5 * 10, 1e-9);
  item.target_share.reset();
  EXPECT_NEAR(ItemTimes(items).seconds_for(item, 40), 2 + 0.5 * 40, 1e-9) << "all are measured";
}

TEST(TimedItems, AreThoseThatCanBeRead) {
  Item item;
  item.budget_s = 7;
  item.target_share = 0.9;
  ItemResult result;
  result.kinds = 9;
  result.measured = 5;
  result.reused = 3;
  store::ItemStatus good;
  good.spec = item.spec();
  good.seconds = 4;
  good.result = result.json();
  store::ItemStatus of_another_release = good;
  of_another_release.spec = "{}";
  store::ItemStatus without_result = good;
  without_result.result = "";
  store::ItemStatus without_time = good;
  without_time.seconds.reset();

  const auto timed = timed_items({of_another_release, without_result, good, without_time});
  ASSERT_EQ(timed.size(), 1U);
  EXPECT_EQ(timed[0].seconds, 4);
  EXPECT_EQ(timed[0].budget_s, 7);
  EXPECT_EQ(timed[0].baseline_s, item.baseline_s);
  EXPECT_TRUE(timed[0].has_target);
  EXPECT_EQ(timed[0].kinds, 9);
  EXPECT_EQ(timed[0].measured, 5);
  EXPECT_EQ(timed[0].reused, 3);
}

}  // namespace
}  // namespace jouletree::campaign
