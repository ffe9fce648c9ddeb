// RAPL through the powercap files of the kernel, of Intel and AMD alike.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "meters/machine_facts.hpp"
#include "meters/open_functions.hpp"
#include "meters/rapl_domain.hpp"
#include "meters/sensor_meters.hpp"
#include "meters/value_file.hpp"

namespace jouletree::meters {
namespace {

namespace fs = std::filesystem;

/// One folder such as intel-rapl:0:1.
struct Zone {
  fs::path folder;
  bool mmio = false;
  std::string name;     ///< As the kernel calls it: "package-0", "core".
  std::string package;  ///< Name of the zone that it is a part of, or its own.
};

std::vector<Zone> find_zones(const fs::path& powercap) {
  std::vector<Zone> zones;
  std::map<std::string, std::string> names;
  for (const fs::path& folder : folders_in(powercap, "intel-rapl")) {
    const std::string id = folder.filename();
    const auto depth = std::count(id.begin(), id.end(), ':');
    if (depth == 0) continue;  // the folder of all zones
    const auto name = read_line(folder / "name");
    if (!name) continue;
    names[id] = *name;
    const std::string parent = depth == 1 ? id : id.substr(0, id.rfind(':'));
    const auto package = names.find(parent);
    zones.push_back({folder, id.starts_with("intel-rapl-mmio:"), *name,
                     package == names.end() ? *name : package->second});
  }
  // Where a domain stands in both, the registers of the CPU come first.
  std::stable_sort(zones.begin(), zones.end(),
                   [](const Zone& a, const Zone& b) { return a.mmio < b.mmio; });
  return zones;
}

/// Four times the highest limit that the kernel knows, because short peaks go beyond it.
Watts most_of(const fs::path& folder, Level level) {
  std::int64_t highest_uw = 0;
  for (const char* file : {"constraint_0_max_power_uw", "constraint_0_power_limit_uw",
                           "constraint_1_max_power_uw", "constraint_1_power_limit_uw"}) {
    highest_uw = std::max(highest_uw, read_number(folder / file).value_or(0));
  }
  return std::max(Watts{4e-6 * static_cast<double>(highest_uw)}, most_without_limit(level));
}

std::unique_ptr<Meter> open_zone(const Zone& zone, const std::shared_ptr<ValueFile>& counter,
                                 std::int64_t range_uj, const ProbeOptions& options) {
  MeterInfo info = rapl_info(zone.name, zone.package);
  info.source = "rapl";
  info.model = cpu_model(options.root);
  info.method = fmt::format("{}, wraps around at {} J", zone.mmio ? "mmio energy_uj" : "energy_uj",
                            range_uj / 1000000);
  const CounterScale scale{1e-6, static_cast<std::uint64_t>(range_uj),
                           most_of(zone.folder, info.level)};
  const auto sense = [counter]() -> SensedCount {
    const auto value = counter->read();
    if (!value || *value < 0) return {0, counter->why()};
    return {static_cast<std::uint64_t>(*value)};
  };
  auto meter = counter_meter(std::move(info), scale, sense, *options.clock);
  (void)meter->read();  // energy counts from here
  return meter;
}

Missing denied(const std::vector<std::string>& names, const fs::path& root,
               const fs::path& powercap) {
  return {"rapl",
          fmt::format("RAPL counters of {} exist, but only root may read {}/*/energy_uj: whoever "
                      "reads them can find out what other programs compute (CVE-2020-8694)",
                      fmt::join(names, ", "), powercap.string()),
          group_command(root, powercap.string() + "/intel-rapl*/energy_uj")};
}

Missing no_zones(const fs::path& root, const fs::path& powercap) {
  if (is_virtual_machine(root)) {
    return {"rapl",
            fmt::format("{} has no intel-rapl zones: this is a virtual machine, and the hypervisor "
                        "hides the counters of the CPU",
                        powercap.string()),
            "measure on the host, or give the host's /sys and /proc with --sysroot"};
  }
  if (!container_name(root).empty()) {
    return {"rapl",
            fmt::format("{} has no intel-rapl zones: this is a container, which hides the counters "
                        "of the CPU, or the host has none",
                        powercap.string()),
            "start the container with -v /sys:/host/sys:ro -v /proc:/host/proc:ro, and give "
            "--sysroot /host"};
  }
  return {"rapl",
          fmt::format("{} has no intel-rapl zones: the kernel module is not loaded, or the CPU has "
                      "no RAPL",
                      powercap.string()),
          "sudo modprobe intel_rapl_msr"};
}

}  // namespace

Probe open_rapl(const ProbeOptions& options) {
  const fs::path powercap = options.root / "sys/class/powercap";
  Probe probe;
  const std::vector<Zone> zones = find_zones(powercap);
  if (zones.empty()) probe.missing.push_back(no_zones(options.root, powercap));
  std::vector<std::string> denied_names;
  std::vector<std::string> seen;
  for (const Zone& zone : zones) {
    std::string name = rapl_info(zone.name, zone.package).name;
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      probe.notes.push_back(fmt::format("{} counts the same as {} and is left out",
                                        zone.folder.filename().string(), name));
      continue;
    }
    const auto counter = std::make_shared<ValueFile>(zone.folder / "energy_uj");
    const auto range_uj = read_number(zone.folder / "max_energy_range_uj");
    const bool readable = counter->read().has_value();
    if (!readable && counter->why() == GapReason::Denied) {
      denied_names.push_back(std::move(name));
    } else if (!readable || !range_uj || *range_uj <= 0) {
      probe.missing.push_back(
          {"rapl",
           fmt::format("RAPL domain {}: energy_uj or max_energy_range_uj in {} "
                       "cannot be read or holds no number",
                       name, zone.folder.string()),
           "reload the module: " + kernel_command(options.root,
                                                  "sudo modprobe -r intel_rapl_msr && sudo "
                                                  "modprobe intel_rapl_msr")});
    } else {
      probe.meters.push_back(open_zone(zone, counter, *range_uj, options));
      seen.push_back(std::move(name));
    }
  }
  if (!denied_names.empty()) probe.missing.push_back(denied(denied_names, options.root, powercap));
  return probe;
}

}  // namespace jouletree::meters
