#include "store/power_line.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "store/recorded_power.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::json;

DomainEnergy domain(const std::string& name, Level level, double power_w) {
  DomainEnergy energy;
  energy.name = name;
  energy.level = level;
  energy.average = Watts{power_w};
  energy.gross = EnergyRange{Joules::from(power_w / 10), {}, {}};
  return energy;
}

measure::RunSample some_sample() {
  measure::RunSample sample;
  sample.at = WallTime(std::chrono::seconds(1700000000));
  sample.energy.end = sample.energy.begin + std::chrono::milliseconds(100);
  sample.energy.domains = {domain("rapl:package-0", Level::Package, 40),
                           domain("rapl:package-1", Level::Package, 30),
                           domain("nvml:gpu-0", Level::Gpu, 200)};
  sample.energy.total.summed = {"rapl:package-0", "rapl:package-1", "nvml:gpu-0"};
  sample.energy.total.gross = EnergyRange{Joules::from(27), {}, {}};
  sample.energy.total.average = Watts{270};
  sample.usage.cpu_share = 0.5;
  return sample;
}

TEST(PowerLine, SumsPackagesUnderTheKeyOfAIPowerMeter) {
  const Json line = Json::parse(power_line(2, some_sample()));
  EXPECT_EQ(line["metrics"]["cpu"]["intel_power"], 70);
  EXPECT_EQ(line["metrics"]["cpu"]["per_process_cpu_uses"]["all"], 0.5);
  EXPECT_EQ(line["run"], 2);
}

TEST(PowerLine, WhatIsEstimatedDoesNotStandUnderTheNameOfASensor) {
  measure::RunSample sample = some_sample();
  sample.energy.domains = {domain("estimate:cpu", Level::Package, 12)};
  sample.energy.domains[0].provenance = Provenance::Estimated;
  const Json line = Json::parse(power_line(1, sample));
  EXPECT_FALSE(line["metrics"]["cpu"].contains("intel_power"));
  EXPECT_EQ(line["metrics"]["cpu"]["estimated_power"], 12);
  EXPECT_FALSE(line["metrics"].contains("gpu"));
}

TEST(PowerLine, DividesACardAmongItsProcesses) {
  measure::RunSample sample = some_sample();
  measure::GpuUse use;
  use.card.device = "gpu-0";
  use.card.processes = {{10, 1000, 0.6}, {20, 500, 0.2}};
  use.sm_share = 0.6;
  use.memory_bytes = 1000;
  use.card.memory_used_bytes = 1500;
  use.card.utilisation = 0.9;
  sample.usage.gpus = {use};
  const Json gpu = Json::parse(power_line(1, sample))["metrics"]["gpu"];
  EXPECT_EQ(gpu["nvidia_draw_absolute"], 200);
  EXPECT_EQ(gpu["per_gpu_power_draw"]["0"], 200);
  EXPECT_DOUBLE_EQ(gpu["per_gpu_attributable_power"]["all"], 150);
  EXPECT_DOUBLE_EQ(gpu["per_gpu_estimated_attributable_utilization"]["0"], 0.75);
  EXPECT_EQ(gpu["per_gpu_attributable_mem_use"]["0"]["all"], 1000);
  EXPECT_EQ(gpu["nvidia_power"], 200);
  EXPECT_EQ(gpu["per_gpu_nvidia_power"]["0"], 200);
  EXPECT_EQ(gpu["per_gpu_nvidia_memory"]["0"], 1500);
  EXPECT_EQ(gpu["per_gpu_nvidia_use_rate"]["0"], 0.9);
}

TEST(PowerLine, HasAllKeysThatAIPowerMeterReadsAlsoWhereTheyAreUnknown) {
  const Json gpu = Json::parse(power_line(1, some_sample()))["metrics"]["gpu"];
  for (const char* key :
       {"nvidia_power", "per_gpu_nvidia_power", "per_gpu_nvidia_memory", "per_gpu_nvidia_use_rate",
        "nvidia_draw_absolute", "per_gpu_power_draw", "per_gpu_attributable_mem_use",
        "per_gpu_absolute_percent_usage", "per_gpu_estimated_attributable_utilization"})
    EXPECT_TRUE(gpu.contains(key)) << key;
  EXPECT_TRUE(gpu["per_gpu_attributable_power"]["all"].is_null());
}

TEST(PowerLine, IsReadBySomebodyWhoKnowsOnlyTheKeysOfAIPowerMeter) {
  Json line = Json::parse(power_line(3, some_sample()));
  line.erase("energy");
  const auto row = parse_power_line(line.dump());
  ASSERT_TRUE(row);
  EXPECT_EQ(row->total_w, 270);
  EXPECT_TRUE(row->not_understood.empty());
}

TEST(PowerLine, IsReadAgainAsItWasWritten) {
  const std::string line = power_line(3, some_sample());
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto row = parse_power_line(line);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->at, some_sample().at);
  EXPECT_EQ(row->run, 3);
  EXPECT_EQ(row->total_j, 27);
  EXPECT_EQ(row->duration_s, 0.1);
  ASSERT_EQ(row->domains.size(), 3U);
  EXPECT_EQ(row->domains[1].energy_j, 3);
}

}  // namespace
}  // namespace jouletree::store
