#include "store/recording.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
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

TEST(Recording, IsFoundAtAnyDepthInTheOrderOfNumbers) {
  const test::TempFolder folder;
  for (const char* name : {"input_onnx/run_10", "input_onnx/run_2", "input_onnx/run_2/again",
                           "a/b/c/d/e/f/g/run_1", ".hidden/run_1"})
    folder.write(std::string(name) + "/power_metrics.json", kLines);
  folder.write("other/summary.json", "{\"accuracy\": 0.9}");
  const auto found = find_folders(folder.path(), holds_recording);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].lexically_relative(folder.path()), "a/b/c/d/e/f/g/run_1");
  EXPECT_EQ(found[1].filename(), "run_2");
  EXPECT_EQ(found[2].filename(), "again");
  EXPECT_EQ(found[3].filename(), "run_10");
}

TEST(Recording, RefusesFoldersWithoutOne) {
  const test::TempFolder folder;
  EXPECT_TRUE(find_folders(folder.path(), holds_recording).empty());
  EXPECT_THROW((void)read_recording(folder.path()), Error);
  folder.write("power_metrics.json", "nothing\n");
  EXPECT_THROW((void)read_recording(folder.path()), Error);
}

TEST(Recording, ShowsPlugsBesideTheTotal) {
  const test::TempFolder folder;
  folder.write(
      "power_metrics.json",
      "{\"date\": \"2021-11-18T10:00:00Z\", \"metrics\": {\"cpu\": {\"intel_power\": 10}}}\n"
      "{\"date\": \"2021-11-18T10:00:10Z\", \"metrics\": {\"cpu\": {\"intel_power\": 10}}}\n");
  std::string rows =
      "wattmetre-read v3\n#timestamp,#frame_is_ok,#U1,#current1,#activepow1,#current2,"
      "#activepow2\n";
  for (int i = -5; i <= 150; ++i) {
    rows += i % 50 == 0 ? fmt::format("{:.1f},false,,,,,\n", 1637229600 + i * 0.1)
                        : fmt::format("{:.1f},true,230,0.3,50,0.1,20\n", 1637229600 + i * 0.1);
  }
  folder.write("omegawatt.csv", rows);
  const Recording recording = read_recording(folder.path());
  const StoredRun& run = recording.runs.runs.at(0);
  EXPECT_EQ(run.total.energy_j.value, 100);
  ASSERT_EQ(run.domains.size(), 3U);
  EXPECT_EQ(run.domains[1].name, "external:omegawatt:activepow1");
  EXPECT_EQ(run.domains[1].level, "wall");
  EXPECT_NEAR(*run.domains[1].energy_j.value, 500, 1e-3);
  EXPECT_NEAR(*run.domains[2].energy_j.value, 200, 1e-3);
  ASSERT_EQ(recording.notes.size(), 1U);
  EXPECT_NE(recording.notes[0].find("not in the total"), std::string::npos);
}

}  // namespace
}  // namespace jouletree::store
