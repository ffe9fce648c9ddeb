#include "store/power_keys.hpp"

#include <gmock/gmock.h>

namespace jouletree::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> unknown_in(const char* line) {
  return unknown_power_keys(nlohmann::ordered_json::parse(line));
}

TEST(PowerKeys, NamesWhatLooksLikePowerAndIsNotRead) {
  EXPECT_THAT(unknown_in(R"({"metrics": {"cpu": {"intel_power": 3, "npu_power": 4}}})"),
              ElementsAre("cpu.npu_power"));
  EXPECT_THAT(unknown_in(R"({"metrics": {"cpu": {}, "amd": {"average_watts": {"0": 4}}}})"),
              ElementsAre("amd.average_watts"));
  EXPECT_THAT(unknown_in(R"({"metrics": {"gpu": {"0": {"power_draw": 60}}}})"),
              ElementsAre("gpu.0.power_draw"));
  EXPECT_THAT(unknown_in(R"({"metrics": {"cpu": {}}, "total_joules": "12 J"})"),
              ElementsAre("total_joules"));
}

TEST(PowerKeys, AKnownNameInAnotherGroupIsNotRead) {
  EXPECT_THAT(unknown_in(R"({"metrics": {"cpu": {}, "nvidia": {"nvidia_power": 60}}})"),
              ElementsAre("nvidia.nvidia_power"));
  EXPECT_THAT(unknown_in(R"({"metrics": {"cpu": {"nvidia_power": 60}}})"),
              ElementsAre("cpu.nvidia_power"));
}

TEST(PowerKeys, LeavesOutSettingsSharesAndEmptyEntries) {
  EXPECT_THAT(
      unknown_in(R"({"metrics": {"cpu": {"psys_power": -1, "per_process_cpu_power": {"1": 2},
      "rel_intel_power": {"1": 2}, "other_power": null, "fan_power": -1}, "gpu": {"power_limit": 250,
      "power_state": "P0", "per_gpu_attributable_power": {"0": 5, "all": 5},
      "per_gpu_estimated_attributable_utilization": {"0": 1}, "per_gpu_performance_state": {}}}})"),
      IsEmpty());
}

}  // namespace
}  // namespace jouletree::store
