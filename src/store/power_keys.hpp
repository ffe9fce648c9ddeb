#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/meter.hpp"

namespace jouletree::store {

/// A name under which the power of a part of the machine is recorded.
struct PowerKey {
  const char* key;
  Level level;
  Provenance provenance;
};

/// Of the group "cpu". Where several of one level are there, the first one counts.
[[nodiscard]] const std::vector<PowerKey>& cpu_power_keys();

/// Of the group "gpu": the power of each card, and of all cards; newer names first.
inline constexpr const char* kPowerPerCard[] = {"per_gpu_nvidia_power", "per_gpu_power_draw"};
inline constexpr const char* kPowerOfCards[] = {"nvidia_power", "nvidia_draw_absolute"};

/// What a recorder attributes to the command: a part of power that is recorded elsewhere, never
/// summed.
struct SharedKey {
  const char* key;
  const char* name;  ///< Of the domain that it becomes.
};
[[nodiscard]] const std::vector<SharedKey>& attributed_power_keys();

/// Names of entries that look like power or energy, hold a number, and are read by nobody here:
/// "npu.npu_power". `line` is a line of power_metrics.json.
[[nodiscard]] std::vector<std::string> unknown_power_keys(const nlohmann::ordered_json& line);

}  // namespace jouletree::store
