#include "store/recording.hpp"

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

constexpr const char* kLines =
    "{\"date\": \"2021-11-18 10:00:00\", \"metrics\": {\"cpu\": {\"intel_power\": 10}}}\n"
    "{\"date\": \"2021-11-18 10:00:10\", \"metrics\": {\"cpu\": {\"intel_power\": 20}}}\n";

TEST(Recording, ReadsAFolderOfAIPowerMeterWithLatencies) {
  const test::TempFolder folder;
  folder.write("power_metrics.json", std::string(kLines) + "broken");
  folder.write("latency.csv", "1.0e-01\n3.0e-01\nx\n2.0e-01\n");
  const Recording recording = read_recording(folder.path());
  ASSERT_EQ(recording.runs.runs.size(), 1U);
  EXPECT_EQ(recording.runs.runs[0].total.energy_j.value, 150);
  ASSERT_TRUE(recording.latencies);
  EXPECT_EQ(recording.latencies->count, 3U);
  EXPECT_DOUBLE_EQ(recording.latencies->median_s, 0.2);
  EXPECT_EQ(recording.notes.size(), 2U);
}

TEST(Recording, LeavesOutASummaryOfOthers) {
  const test::TempFolder folder;
  folder.write("power_metrics.json", kLines);
  folder.write("summary.json", "{\"total\": 5}");
  const Recording recording = read_recording(folder.path());
  EXPECT_EQ(recording.runs.runs.size(), 1U);
  EXPECT_EQ(recording.notes.size(), 1U);
}

TEST(Recording, IsFoundBelowAFolderInTheOrderOfNumbers) {
  const test::TempFolder folder;
  for (const char* name : {"input_onnx/run_10", "input_onnx/run_2"})
    folder.write(std::string(name) + "/power_metrics.json", kLines);
  const auto found = find_recordings(folder.path());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].filename(), "run_2");
  EXPECT_EQ(find_recordings(found[0]).size(), 1U);
}

TEST(Recording, RefusesFoldersWithoutOne) {
  const test::TempFolder folder;
  EXPECT_THROW((void)find_recordings(folder.path()), Error);
  EXPECT_THROW((void)find_recordings("/no/such/folder"), Error);
  folder.write("power_metrics.json", "nothing\n");
  EXPECT_THROW((void)read_recording(folder.path()), Error);
}

}  // namespace
}  // namespace jouletree
