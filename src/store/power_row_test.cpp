#include <gmock/gmock.h>

#include "store/recorded_power.hpp"

namespace jouletree {
namespace {

TEST(PowerRow, ReadsALineOfAIPowerMeter) {
  const auto row = parse_power_line(
      R"({"date": "2021-11-18 10:11:12.123456", "metrics": {"cpu": {
      "per_process_mem_use_abs": {"12": 100, "13": 50}, "per_process_cpu_uses": {"12": 0.5, "13": 0.25},
      "intel_power": 30.5, "psys_power": -1, "uncore_power": [1.5], "total_cpu_power": 20,
      "total_dram_power": 4}, "gpu": {"nvidia_draw_absolute": 150.0,
      "per_gpu_power_draw": {"0": 100.0, "1": 50.0},
      "per_gpu_attributable_mem_use": {"0": {"12": 2000, "13": null}},
      "per_gpu_absolute_percent_usage": {"0": 0.9}}}})");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->pss_bytes, 150);
  EXPECT_EQ(row->cpu_share, 0.75);
  EXPECT_EQ(row->total_w, 30.5 + 4 + 150);
  EXPECT_THAT(row->summed,
              ::testing::ElementsAre("intel_power", "total_dram_power", "gpu-0", "gpu-1"));
  EXPECT_EQ(row->provenance, "measured");
  EXPECT_EQ(row->gpu_memory_bytes.at("0"), 2000);
  EXPECT_EQ(row->gpu_sm_share.at("0"), 0.9);
  // The platform does not exist on that machine.
  EXPECT_EQ(row->domains.size(), 6U);
}

TEST(PowerRow, ReadsEarlyVersionsWithoutGroups) {
  const auto row = parse_power_line(
      R"({"date": "2020-09-01 08:00:00", "metrics": {"mem_use_abs": {"1": 7}, "intel_power": 12,
      "nvidia_draw_absolute": 80}})");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->total_w, 92);
  EXPECT_EQ(row->pss_bytes, 7);
}

TEST(PowerRow, TakesWhatIsNoNumberAsUnknown) {
  const auto row = parse_power_line(
      R"({"date": "2020-09-01 08:00:00", "metrics": {"cpu": {"intel_power": NaN,
      "total_dram_power": 3}}})");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->total_w, 3);
}

TEST(PowerRow, TakesThePlatformWhereThereIsNothingElse) {
  const auto row = parse_power_line(
      R"({"date": "2020-09-01 08:00:00", "metrics": {"cpu": {"psys_power": 55}}})");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->total_w, 55);
}

TEST(PowerRow, RefusesOtherLines) {
  EXPECT_FALSE(parse_power_line(""));
  EXPECT_FALSE(parse_power_line("{\"date\": \"2020-09-01 08:0"));
  EXPECT_FALSE(parse_power_line("[1, 2]"));
  EXPECT_FALSE(parse_power_line(R"({"date": "2020-09-01 08:00:00"})"));
  EXPECT_FALSE(parse_power_line(R"({"date": 5, "metrics": {}})"));
  EXPECT_FALSE(parse_power_line(R"({"metrics": {"cpu": {}}})"));
}

TEST(PowerRow, KnowsTheEndOfASegment) {
  EXPECT_TRUE(ends_segment("\"END OF RECORDING SEGMENT\""));
  EXPECT_FALSE(ends_segment("\"something else\""));
  EXPECT_FALSE(ends_segment("END OF RECORDING SEGMENT"));
}

}  // namespace
}  // namespace jouletree
