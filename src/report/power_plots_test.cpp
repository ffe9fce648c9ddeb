#include <gtest/gtest.h>

#include "jouletree/units.hpp"
#include "report/show_report.hpp"

namespace jouletree::report {
namespace {

store::PowerRow row_at(int second, int run = 1) {
  store::PowerRow row;
  row.at = WallTime(std::chrono::seconds(second));
  row.run = run;
  row.provenance = "measured";
  row.summed = {"intel_power"};
  row.domains = {{"intel_power", "package", "measured", 10.0 + second, std::nullopt}};
  return row;
}

TEST(PowerPlots, TakeTheTimeSinceTheRowBefore) {
  const auto plots = plots_of({row_at(0), row_at(2), row_at(3)});
  ASSERT_EQ(plots.size(), 1U);
  EXPECT_EQ(plots[0].end_s, 3);
  const auto& spans = plots[0].curves.at(0).spans;
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].end_s, 2);
  EXPECT_EQ(spans[0].value, 12);
}

TEST(PowerPlots, LeaveOutThePausesBetweenRuns) {
  const auto plots = plots_of({row_at(0), row_at(2), row_at(1000, 2), row_at(1001, 2)});
  EXPECT_EQ(plots.at(0).end_s, 3);
}

TEST(PowerPlots, LeaveAGapWhereThereIsAHole) {
  std::vector<store::PowerRow> rows = {row_at(0), row_at(1), row_at(100), row_at(101)};
  rows[2].after_hole = true;
  rows[1].card_utilisation["0"] = 0.5;
  const auto plots = plots_of(rows);
  ASSERT_EQ(plots.size(), 2U);
  EXPECT_EQ(plots[0].end_s, 101);
  const auto& spans = plots[0].curves.at(0).spans;
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].end_s, 1);
  EXPECT_EQ(spans[1].begin_s, 100);
  EXPECT_EQ(plots[1].curves.at(0).spans.at(0).end_s, 1) << "nothing holds through a hole";
}

std::vector<store::PowerRow> rows_with_memory(double first, double third) {
  std::vector<store::PowerRow> rows;
  for (int second = 0; second < 4; ++second) {
    rows.push_back(row_at(second));
    rows.back().duration_s = 1;
  }
  rows[0].pss_bytes = first * kMebibyte;
  rows[2].pss_bytes = third * kMebibyte;
  return rows;
}

TEST(PowerPlots, HoldWhatIsSeldomLookedAtUntilTheNextLook) {
  const auto plots = plots_of(rows_with_memory(20, 21));
  ASSERT_EQ(plots.size(), 2U);
  const auto& spans = plots[1].curves.at(0).spans;
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].end_s, 2);
  EXPECT_EQ(spans[0].value, 20);
  EXPECT_EQ(spans[1].begin_s, 2);
  EXPECT_EQ(spans[1].end_s, 4);
}

TEST(PowerPlots, LeaveAGapWhereMemoryChangedBetweenTwoLooks) {
  const auto plots = plots_of(rows_with_memory(1, 60));
  const auto& spans = plots.at(1).curves.at(0).spans;
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].end_s, 1) << "nobody knows when it grew";
  EXPECT_EQ(spans[1].begin_s, 2);
}

TEST(PowerPlots, NothingGivesNoPlot) { EXPECT_TRUE(plots_of({}).empty()); }

}  // namespace
}  // namespace jouletree::report
