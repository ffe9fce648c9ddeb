#include "report/run_csv.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "base/csv.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::report {
namespace {

constexpr const char* kForeign =
    "{\"date\": \"2026-04-01T10:00:00Z\", \"metrics\": {\"cpu\": {\"intel_power\": 10}, \"gpu\": "
    "{\"per_gpu_nvidia_power\": {\"0\": 50}, \"per_gpu_nvidia_use_rate\": {\"0\": 80}}}}\n"
    "{\"date\": \"2026-04-01T10:00:02Z\", \"metrics\": {\"cpu\": {\"intel_power\": 20}, \"gpu\": "
    "{\"per_gpu_nvidia_power\": {\"0\": 60}, \"per_gpu_nvidia_use_rate\": {\"0\": 90}}}}\n"
    "\"END OF RECORDING SEGMENT\"\n"
    "{\"date\": \"2026-04-01T11:00:00Z\", \"metrics\": {\"cpu\": {\"intel_power\": 10}}}\n";

std::vector<store::Recording> two_recordings(const test::TempFolder& folder) {
  folder.write("a, b/power_metrics.json", kForeign);
  folder.write("c/power_metrics.json", kForeign);
  return {store::read_recording(folder.path() / "a, b"),
          store::read_recording(folder.path() / "c")};
}

TEST(RunCsv, HasARowForEachRun) {
  const test::TempFolder folder;
  std::ostringstream out;
  print_runs_csv(two_recordings(folder), nullptr, out);
  const CsvTable table(out.str(), "runs.csv");
  ASSERT_EQ(table.rows(), 4U);
  EXPECT_EQ(table.at(0, "folder"), (folder.path() / "a, b").string());
  EXPECT_EQ(table.at(1, "run"), "2");
  EXPECT_EQ(table.at(0, "time_s"), "2");
  EXPECT_EQ(table.at(0, "energy_j"), "140");
  EXPECT_EQ(table.at(0, "energy_j:gpu-0"), "110");
  EXPECT_EQ(table.at(0, "provenance"), "measured");
  // One line has no energy, and unknown is no zero.
  EXPECT_EQ(table.at(1, "energy_j"), "");
}

TEST(RunCsv, LinesCountNothingForAPartThatIsSilent) {
  const test::TempFolder folder;
  const std::string both =
      R"("metrics": {"cpu": {"intel_power": 10}, "gpu": {"per_gpu_nvidia_power": {"0": 50}}}})";
  folder.write("power_metrics.json",
               R"({"date": "2026-04-01T10:00:00Z", )" + both + "\n" +
                   R"({"date": "2026-04-01T10:00:01Z", )" + both + "\n" +
                   R"({"date": "2026-04-01T10:00:02Z", "metrics": {"cpu": {"intel_power": 10}}})");
  std::ostringstream out;
  print_lines_csv({store::read_recording(folder.path())}, out);
  const CsvTable table(out.str(), "lines.csv");
  EXPECT_EQ(table.at(1, "energy_j"), "60");
  EXPECT_EQ(table.at(1, "may_lack"), "");
  EXPECT_EQ(table.at(2, "energy_j"), "10");
  EXPECT_EQ(table.at(2, "may_lack"), "gpu-0");
}

TEST(RunCsv, HasWhatIsDerived) {
  const test::TempFolder folder;
  const auto derive = [](const Figure& energy_j, const std::string&) {
    nlohmann::ordered_json metrics;
    metrics["co2e_g"]["value"] = nullptr;
    if (energy_j.value) metrics["co2e_g"]["value"] = *energy_j.value / 2;
    return metrics;
  };
  std::ostringstream out;
  print_runs_csv(two_recordings(folder), derive, out);
  const CsvTable table(out.str(), "runs.csv");
  EXPECT_EQ(table.at(0, "co2e_g"), "70");
  EXPECT_EQ(table.at(1, "co2e_g"), "");
}

TEST(RunCsv, HasARowForEachLine) {
  const test::TempFolder folder;
  std::ostringstream out;
  print_lines_csv(two_recordings(folder), out);
  const CsvTable table(out.str(), "lines.csv");
  ASSERT_EQ(table.rows(), 6U);
  EXPECT_EQ(table.at(0, "power_w"), "60");
  EXPECT_EQ(table.at(0, "energy_j"), "");
  EXPECT_EQ(table.at(1, "time_s"), "2");
  EXPECT_EQ(table.at(1, "energy_j"), "140");
  EXPECT_EQ(table.at(1, "power_w:gpu-0"), "60");
  EXPECT_EQ(table.at(1, "card_utilisation:gpu-0"), "0.9");
  // The first line of a segment has no line before it.
  EXPECT_EQ(table.at(2, "time_s"), "");
  EXPECT_EQ(table.at(2, "power_w:gpu-0"), "");
}

}  // namespace
}  // namespace jouletree::report
