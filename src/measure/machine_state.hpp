#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "jouletree/clock.hpp"

namespace jouletree::measure {

/// How fast the machine is allowed to be at a moment. What it does not tell is absent.
struct MachineState {
  Time at;
  std::optional<double> clock_mhz;  ///< Mean over the CPUs.
  std::optional<double> slowest_mhz;
  std::optional<std::int64_t> throttled;  ///< How often CPUs were slowed down since the start.
  std::optional<double> temperature_c;    ///< Of the hottest package.
  std::optional<double> load;             ///< Processes that want to run, mean of a minute.
};

/// Reads it below a root folder ("/").
[[nodiscard]] MachineState read_machine_state(const std::filesystem::path& root, Time now);

}  // namespace jouletree::measure
