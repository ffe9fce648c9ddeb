#include "measure/machine_settings.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "meters/machine_facts.hpp"
#include "meters/value_file.hpp"

namespace jouletree::measure {

namespace fs = std::filesystem;

std::set<std::string> governors(const fs::path& root) {
  std::set<std::string> governors;
  for (const fs::path& cpu : meters::folders_in(root / "sys/devices/system/cpu", "cpu")) {
    if (const auto name = meters::read_line(cpu / "cpufreq/scaling_governor"))
      governors.insert(*name);
  }
  return governors;
}

std::optional<Turbo> turbo(const fs::path& root) {
  const fs::path cpus = root / "sys/devices/system/cpu";
  const fs::path no_turbo = cpus / "intel_pstate/no_turbo";
  const fs::path boost = cpus / "cpufreq/boost";
  const auto off = meters::read_number(no_turbo);
  const auto on = meters::read_number(boost);
  if (!off && !on) return std::nullopt;
  const bool is_off = off.value_or(0) == 1 || on.value_or(1) == 0;
  return off ? Turbo{!is_off, no_turbo, "1"} : Turbo{!is_off, boost, "0"};
}

std::optional<std::string> hypervisor(const fs::path& root) {
  if (!meters::is_virtual_machine(root)) return std::nullopt;
  const fs::path dmi = root / "sys/class/dmi/id";
  const auto vendor = meters::read_line(dmi / "sys_vendor");
  const auto product = meters::read_line(dmi / "product_name");
  if (!vendor && !product) return std::nullopt;
  return fmt::format("{}{}{}", vendor.value_or(""), vendor && product ? " " : "",
                     product.value_or(""));
}

std::optional<double> load(const fs::path& root) {
  const auto line = meters::read_line(root / "proc/loadavg");
  if (!line) return std::nullopt;
  char* end = nullptr;
  const double load = std::strtod(line->c_str(), &end);
  return end == line->c_str() ? std::nullopt : std::optional(load);
}

}  // namespace jouletree::measure
