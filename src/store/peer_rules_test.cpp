// What AIPowerMeter's own parser and summary ask of the lines of power_metrics.json, in our words.
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "store/power_line.hpp"
#include "store/recorded_power.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::json;

/// It adds up what is an object, so that everything in there must be a number.
std::string problem_of_cpu(const Json& cpu) {
  for (const auto& [key, value] : cpu.items()) {
    if (value.is_number() || value.is_null()) continue;
    if (!value.is_object()) return key + " is neither a number nor an object";
    for (const auto& [part, entry] : value.items())
      if (!entry.is_number()) return key + "." + part + " cannot be added up";
  }
  return "";
}

/// Since March 2026.
std::string problem_of_new_gpu(const Json& gpu) {
  if (!gpu.contains("nvidia_power")) return "nvidia_power is missing";
  for (const char* key :
       {"per_gpu_nvidia_power", "per_gpu_nvidia_memory", "per_gpu_nvidia_use_rate"})
    if (!gpu.contains(key) || !gpu[key].is_object()) return std::string(key) + " is missing";
  return "";
}

/// Before: every key is asked for, and a summary without any card does not end well.
std::string problem_of_old_gpu(const Json& gpu) {
  if (!gpu.contains("nvidia_draw_absolute")) return "nvidia_draw_absolute is missing";
  for (const char* key :
       {"per_gpu_power_draw", "per_gpu_attributable_power", "per_gpu_attributable_mem_use",
        "per_gpu_absolute_percent_usage", "per_gpu_estimated_attributable_utilization"})
    if (!gpu.contains(key) || !gpu[key].is_object()) return std::string(key) + " is missing";
  if (!gpu["per_gpu_attributable_power"].contains("all")) return "the sum of cards is missing";
  for (const char* key : {"per_gpu_attributable_mem_use", "per_gpu_absolute_percent_usage"})
    if (gpu[key].empty()) return std::string(key) + " names no card";
  for (const auto& [card, uses] : gpu["per_gpu_attributable_mem_use"].items())
    if (!uses.is_object()) return "the memory of card " + card + " is not told by process";
  return "";
}

/// The first problem of a file, or nothing.
std::string problem_of(const std::string& lines) {
  // What Python reads as a date since its version 3.7.
  static const std::regex date(R"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d)");
  std::istringstream input(lines);
  bool dated = false;
  for (std::string text; std::getline(input, text);) {
    const Json line = Json::parse(text, nullptr, false);
    if (line == "END OF RECORDING SEGMENT") {
      if (!dated) return "a segment without a line";
      dated = false;
      continue;
    }
    if (!line.is_object() || !line.contains("metrics")) return "no object with metrics: " + text;
    if (!std::regex_match(line.value("date", ""), date)) return "no date: " + text;
    dated = true;
    const Json& metrics = line["metrics"];
    std::string problem = metrics.contains("cpu") ? problem_of_cpu(metrics["cpu"]) : "";
    if (problem.empty() && metrics.contains("gpu")) problem = problem_of_new_gpu(metrics["gpu"]);
    if (problem.empty() && metrics.contains("gpu")) problem = problem_of_old_gpu(metrics["gpu"]);
    if (!problem.empty()) return problem;
  }
  return dated ? "the last segment has no end" : "";
}

DomainEnergy watts_of(const std::string& name, Level level, std::optional<Watts> power) {
  DomainEnergy energy;
  energy.name = name;
  energy.level = level;
  energy.average = power;
  return energy;
}

measure::GpuUse card(const std::string& device) {
  measure::GpuUse use;
  use.card.device = device;
  return use;
}

measure::RunSample sample_with(std::vector<DomainEnergy> domains,
                               std::vector<measure::GpuUse> cards) {
  measure::RunSample sample;
  sample.at = WallTime(std::chrono::seconds(1700000000));
  sample.energy.end = sample.energy.begin + std::chrono::milliseconds(100);
  sample.energy.domains = std::move(domains);
  sample.usage.gpus = std::move(cards);
  return sample;
}

std::string recorded(const measure::RunSample& sample) {
  return power_line(1, sample) + std::string(kSegmentEnd) + "\n";
}

TEST(PeerRules, HoldForEveryKindOfMachine) {
  const DomainEnergy package = watts_of("rapl:package-0", Level::Package, Watts{40});
  const DomainEnergy one = watts_of("nvml:gpu-0", Level::Gpu, Watts{200});
  const DomainEnergy two = watts_of("nvml:gpu-1", Level::Gpu, Watts{100});
  const DomainEnergy unknown = watts_of("nvml:gpu-0", Level::Gpu, std::nullopt);
  measure::GpuUse busy = card("gpu-0");
  busy.card.processes = {{10, 1000, 0.6}};
  busy.card.utilisation = 0.9;
  busy.sm_share = 0.6;
  busy.memory_bytes = 1000;
  EXPECT_EQ(problem_of(recorded(sample_with({}, {}))), "");
  EXPECT_EQ(problem_of(recorded(sample_with({package}, {}))), "");
  EXPECT_EQ(problem_of(recorded(sample_with({package, one}, {busy}))), "");
  EXPECT_EQ(problem_of(recorded(sample_with({one, two}, {busy, card("gpu-1")}))), "");
  EXPECT_EQ(problem_of(recorded(sample_with({package, one, two}, {}))), "");
  EXPECT_EQ(problem_of(recorded(sample_with({unknown}, {card("gpu-0")}))), "");
}

TEST(PeerRules, HoldForAMachineOfWhichProcessesAreCounted) {
  measure::RunSample sample = sample_with({}, {});
  sample.usage.cpu_share = 0.5;
  sample.usage.pss_bytes = 1 << 20;
  sample.usage.cpus = 1.5;
  EXPECT_EQ(problem_of(recorded(sample)), "");
}

TEST(PeerRules, AreBrokenByWhatItCannotRead) {
  const std::string good = recorded(sample_with({}, {}));
  EXPECT_NE(problem_of(std::string(kSegmentEnd) + "\n" + good), "");
  EXPECT_NE(problem_of(power_line(1, sample_with({}, {}))), "");
  EXPECT_NE(problem_of("cut off\n" + good), "");
  Json line = Json::parse(
      power_line(1, sample_with({watts_of("nvml:gpu-0", Level::Gpu, Watts{1})}, {card("gpu-0")})));
  for (const char* key : {"nvidia_power", "per_gpu_nvidia_memory", "per_gpu_power_draw"}) {
    Json without = line;
    without["metrics"]["gpu"].erase(key);
    EXPECT_NE(problem_of(without.dump() + "\n" + std::string(kSegmentEnd) + "\n"), "") << key;
  }
}

}  // namespace
}  // namespace jouletree::store
