#include "store/recorded_power.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

std::string foreign_line(int second, double power_w) {
  return fmt::format(
      "{{\"date\": \"2021-11-18 10:11:{:02}\", \"metrics\": {{\"cpu\": {{\"intel_power\": "
      "{}}}}}}}\n",
      second, power_w);
}

TEST(RecordedPower, IntegratesPowerSegmentBySegment) {
  const test::TempFolder folder;
  const auto file = folder.write("power_metrics.json",
                                 foreign_line(0, 10) + foreign_line(2, 20) + foreign_line(4, 30) +
                                     "\"END OF RECORDING SEGMENT\"\n" + foreign_line(30, 100) +
                                     foreign_line(31, 100) + "\"END OF RECORDING SEGMENT\"\n");
  const RecordedPower power = read_power_file(file);
  EXPECT_EQ(power.unreadable_lines, 0);
  const StoredRuns runs = runs_of_rows(power.rows);
  ASSERT_EQ(runs.runs.size(), 2U);
  EXPECT_EQ(runs.runs[0].time_s, 4);
  EXPECT_EQ(runs.runs[0].total.energy_j.value, 2 * 15 + 2 * 25);
  EXPECT_EQ(runs.runs[0].total.power_w, 20);
  EXPECT_EQ(runs.runs[0].total.peak_power_w, 30);
  // The time between the segments was not recorded, and nothing is counted for it.
  EXPECT_EQ(runs.runs[1].total.energy_j.value, 100);
  EXPECT_FALSE(runs.runs[1].complete);
}

TEST(RecordedPower, CountsLinesThatCannotBeRead) {
  const test::TempFolder folder;
  const auto file = folder.write(
      "power_metrics.json", foreign_line(0, 1) + "\nnonsense\n" + foreign_line(1, 1) + "{\"da");
  const RecordedPower power = read_power_file(file);
  EXPECT_EQ(power.rows.size(), 2U);
  EXPECT_EQ(power.unreadable_lines, 2);
  EXPECT_EQ(power.first_unreadable, 3);
}

TEST(RecordedPower, RefusesAFileThatIsNotThere) {
  EXPECT_THROW((void)read_power_file("/no/such/power_metrics.json"), Error);
  const test::TempFolder folder;
  EXPECT_THROW((void)read_power_file(folder.path()), Error);
}

TEST(RecordedPower, ARowAloneHasNoEnergy) {
  const auto row = parse_power_line(foreign_line(0, 10));
  ASSERT_TRUE(row);
  const StoredRuns runs = runs_of_rows({*row});
  EXPECT_FALSE(runs.runs[0].total.energy_j.value);
  EXPECT_EQ(total_of(runs).without_energy, 1);
}

}  // namespace
}  // namespace jouletree
