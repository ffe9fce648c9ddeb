#include <gmock/gmock.h>

#include "store/recorded_power.hpp"

namespace jouletree::store {
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

/// A line whose group "gpu" is this.
PowerRow gpu_row(const std::string& gpu) {
  const auto row = parse_power_line(
      R"({"date": "2026-04-01 08:00:00", "metrics": {"cpu": {"intel_power": 30}, "gpu": )" + gpu +
      "}}");
  EXPECT_TRUE(row) << gpu;
  return row.value_or(PowerRow{});
}

TEST(PowerRow, ReadsTheCardsOfEveryVersionOfAIPowerMeter) {
  const char* versions[] = {
      // since March 2026
      R"({"nvidia_power": 100, "per_gpu_nvidia_power": {"0": 60, "1": 40}})",
      R"({"nvidia_power": 100.0})",
      R"({"per_gpu_nvidia_power": {"0": 60, "1": 40}})",
      // before
      R"({"nvidia_draw_absolute": 100, "per_gpu_power_draw": {"0": 60, "1": 40},
          "per_gpu_attributable_power": {"0": 12, "all": 12}})",
      R"({"nvidia_draw_absolute": 100, "per_gpu_power_draw": {}})",
      // the early one, which lists only cards of the command
      R"({"nvidia_draw_absolute": 100, "nvidia_estimated_attributable_power_draw": 7,
          "per_gpu_power_draw": {"1": 40}, "per_gpu_performance_state": {"1": "P0"}})",
      // both kinds at once, as JouleTree writes them
      R"({"nvidia_power": 100, "per_gpu_nvidia_power": {"0": 60, "1": 40},
          "nvidia_draw_absolute": 100, "per_gpu_power_draw": {"0": 60, "1": 40}})",
      // other forms of the same
      R"({"nvidia_power": "100 W", "per_gpu_nvidia_power": {"0": "60.0 W", "1": "40.0 W"}})",
      R"({"per_gpu_nvidia_power": [60, 40]})",
      R"({"per_gpu_nvidia_power": {"gpu-0": 60, "gpu-1": 40, "all": 100}})",
      R"({"nvidia_power": null, "nvidia_draw_absolute": 100})",
      R"({"per_gpu_nvidia_power": {"all": 100}})",
      R"({"per_gpu_nvidia_power": 100})",
      R"({"nvidia_power": 100, "per_gpu_nvidia_power": {"0": 60, "1": null}})",
  };
  for (const char* gpu : versions) {
    const PowerRow row = gpu_row(gpu);
    EXPECT_EQ(row.total_w, 130) << gpu;
    EXPECT_EQ(row.provenance, "measured");
    EXPECT_TRUE(row.not_understood.empty()) << gpu;
  }
}

TEST(PowerRow, ReadsUseOfCards) {
  const PowerRow row = gpu_row(R"({"nvidia_power": 60, "per_gpu_nvidia_memory": {"0": 4096},
      "per_gpu_nvidia_use_rate": {"0": 35}})");
  EXPECT_EQ(row.card_memory_bytes.at("0"), 4096);
  EXPECT_EQ(row.card_utilisation.at("0"), 35);
  EXPECT_TRUE(row.gpu_memory_bytes.empty());
}

TEST(PowerRow, WhatIsAttributedToTheCommandIsNotSummedAgain) {
  const PowerRow row = gpu_row(R"({"nvidia_draw_absolute": 100,
      "per_gpu_attributable_power": {"0": 12, "1": 5, "all": 17}})");
  EXPECT_EQ(row.total_w, 130);
  const RowDomain& share = row.domains.back();
  EXPECT_EQ(share.name, "nvidia_attributable_power");
  EXPECT_EQ(share.power_w, 17);
  EXPECT_EQ(share.level, "other");
  EXPECT_EQ(share.provenance, "estimated");
}

TEST(PowerRow, NamesPowerThatItDoesNotUnderstand) {
  EXPECT_THAT(gpu_row(R"({"nvidia_power": 60, "hbm_power": 12})").not_understood,
              ::testing::ElementsAre("gpu.hbm_power"));
  EXPECT_THAT(gpu_row(R"({"per_gpu_nvidia_power": {"0": {"now": 60, "mean": 50}}})").not_understood,
              ::testing::ElementsAre("per_gpu_nvidia_power"));
}

std::vector<std::string> silent_in(const PowerRow& row) {
  std::vector<std::string> names;
  for (const SilentPart& part : row.silent) names.push_back(part.name);
  return names;
}

TEST(PowerRow, NamesPartsWithoutANumberThatCanBeUsed) {
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  const auto cpu = [](const std::string& group) {
    return silent_in(
        *parse_power_line(R"({"date": "2026-04-01 08:00:00", "metrics": {"cpu": )" + group + "}}"));
  };
  EXPECT_THAT(cpu(R"({"intel_power": NaN, "total_dram_power": 5})"), ElementsAre("intel_power"));
  EXPECT_THAT(cpu(R"({"intel_power": -50, "total_dram_power": 5})"), ElementsAre("intel_power"));
  EXPECT_THAT(cpu(R"({"intel_power": 50, "total_dram_power": NaN})"),
              ElementsAre("total_dram_power"));
  EXPECT_THAT(cpu(R"({"intel_power": null, "total_cpu_power": 30})"), ElementsAre("intel_power"));
  EXPECT_THAT(cpu(R"("error")"), ElementsAre("cpu"));
  // The same part under another name, parts that are not summed, and parts that are not there.
  EXPECT_THAT(cpu(R"({"intel_power": null, "total_intel_power": 50})"), IsEmpty());
  EXPECT_THAT(cpu(R"({"intel_power": 50, "total_cpu_power": null, "psys_power": null})"),
              IsEmpty());
  EXPECT_THAT(cpu(R"({"intel_power": 50, "total_dram_power": -1})"), IsEmpty());
}

TEST(PowerRow, NamesCardsWithoutANumber) {
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_THAT(silent_in(gpu_row(R"({"per_gpu_nvidia_power": {"0": 120, "1": "N/A"}})")),
              ElementsAre("gpu-1"));
  EXPECT_THAT(silent_in(gpu_row(
                  R"({"nvidia_power": 120, "per_gpu_nvidia_power": {"0": 120, "1": "N/A"}})")),
              ElementsAre("gpu-1"));
  // The sum has what the card does not tell.
  EXPECT_THAT(silent_in(gpu_row(
                  R"({"nvidia_power": 200, "per_gpu_nvidia_power": {"0": 120, "1": "N/A"}})")),
              IsEmpty());
  EXPECT_TRUE(gpu_row(R"("error")").has_cards);
  EXPECT_FALSE(gpu_row("{}").has_cards);
}

TEST(PowerRow, SumsCoresWhereNothingTellsOfPackages) {
  const auto row = parse_power_line(
      R"({"date": "2020-09-01 08:00:00", "metrics": {"cpu": {"total_cpu_power": "12",
      "uncore_power": [1], "total_dram_power": 3}}})");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->total_w, 16);
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
  EXPECT_TRUE(ends_segment(" END OF RECORDING SEGMENT\r"));
}

}  // namespace
}  // namespace jouletree::store
