#include "measure/machine_state.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "measure/machine_settings.hpp"
#include "meters/machine_facts.hpp"
#include "meters/value_file.hpp"

namespace jouletree::measure {
namespace {

namespace fs = std::filesystem;

/// What the kernel notes in /proc/cpuinfo; below a hypervisor often the nominal clock.
std::vector<double> noted_clocks_mhz(const fs::path& root) {
  std::vector<double> clocks;
  std::ifstream file(root / "proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with("cpu MHz") || colon == std::string::npos) continue;
    double mhz = 0;
    const char* const end = line.data() + line.size();
    if (std::from_chars(line.data() + colon + 2, end, mhz).ec == std::errc() && mhz > 0)
      clocks.push_back(mhz);
  }
  return clocks;
}

std::vector<double> clocks_mhz(const fs::path& root, const std::vector<fs::path>& cpus) {
  std::vector<double> clocks;
  constexpr double kKilohertz = 1e-3;
  for (const fs::path& cpu : cpus) {
    const auto khz = meters::read_number(cpu / "cpufreq/scaling_cur_freq");
    if (khz && *khz > 0) clocks.push_back(static_cast<double>(*khz) * kKilohertz);
  }
  return clocks.empty() ? noted_clocks_mhz(root) : clocks;
}

/// Cores count for themselves; what a package counts is told by each of its CPUs.
std::optional<std::int64_t> throttle_count(const std::vector<fs::path>& cpus) {
  std::int64_t sum = 0;
  bool known = false;
  std::map<std::int64_t, std::int64_t> of_package;
  for (const fs::path& cpu : cpus) {
    if (const auto count = meters::read_number(cpu / "thermal_throttle/core_throttle_count")) {
      known = true;
      sum += *count;
    }
    if (const auto count = meters::read_number(cpu / "thermal_throttle/package_throttle_count")) {
      known = true;
      auto& most =
          of_package[meters::read_number(cpu / "topology/physical_package_id").value_or(0)];
      most = std::max(most, *count);
    }
  }
  for (const auto& [package, count] : of_package) sum += count;
  return known ? std::optional(sum) : std::nullopt;
}

bool is_cpu_sensor(const std::string& name) {
  for (const char* known : {"coretemp", "k10temp", "zenpower", "cpu_thermal", "x86_pkg_temp"})
    if (name == known) return true;
  return name.starts_with("cpu-thermal") || name.starts_with("cpu_thermal");
}

/// Cores have sensors of their own, which are left out.
bool is_package_label(const std::optional<std::string>& label) {
  return !label || label->starts_with("Package") || *label == "Tctl" || *label == "Tdie";
}

void take_hotter(const std::optional<std::int64_t>& millidegrees, std::optional<double>& hottest) {
  if (!millidegrees) return;
  const double degrees = static_cast<double>(*millidegrees) * 1e-3;
  hottest = std::max(hottest.value_or(degrees), degrees);
}

std::optional<double> package_temperature(const fs::path& root) {
  std::optional<double> hottest;
  for (const fs::path& sensor : meters::folders_in(root / "sys/class/hwmon", "hwmon")) {
    if (!is_cpu_sensor(meters::read_line(sensor / "name").value_or(""))) continue;
    constexpr int kMostSensors = 8;
    for (int i = 1; i <= kMostSensors; ++i) {
      const std::string channel = "temp" + std::to_string(i);
      if (is_package_label(meters::read_line(sensor / (channel + "_label"))))
        take_hotter(meters::read_number(sensor / (channel + "_input")), hottest);
    }
  }
  if (hottest) return hottest;
  for (const fs::path& zone : meters::folders_in(root / "sys/class/thermal", "thermal_zone")) {
    if (is_cpu_sensor(meters::read_line(zone / "type").value_or("")))
      take_hotter(meters::read_number(zone / "temp"), hottest);
  }
  return hottest;
}

}  // namespace

MachineState read_machine_state(const fs::path& root, Time now) {
  MachineState state;
  state.at = now;
  const std::vector<fs::path> cpus = meters::folders_in(root / "sys/devices/system/cpu", "cpu");
  if (const std::vector<double> clocks = clocks_mhz(root, cpus); !clocks.empty()) {
    state.clock_mhz =
        std::accumulate(clocks.begin(), clocks.end(), 0.0) / static_cast<double>(clocks.size());
    state.slowest_mhz = *std::min_element(clocks.begin(), clocks.end());
  }
  state.throttled = throttle_count(cpus);
  state.temperature_c = package_temperature(root);
  state.load = load(root);
  return state;
}

}  // namespace jouletree::measure
