// The list of all sources, and how what they find is put together.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/probe.hpp"
#include "meters/open_functions.hpp"

namespace jouletree {
namespace {

constexpr std::string_view kExternal = "external";
constexpr std::string_view kEstimate = "estimate";

constexpr std::array kSources = {
    Source{"rapl", "CPU counters through powercap files", meters::open_rapl},
    Source{"rapl-perf", "CPU counters through perf events", meters::open_rapl_perf},
    Source{"nvml", "NVIDIA graphics cards", meters::open_nvml},
    Source{"jetson", "INA sensors of NVIDIA Jetson boards", meters::open_jetson},
    Source{"hwmon", "sensors of graphics cards, boards and power supplies", meters::open_hwmon},
    Source{"battery", "what the battery delivers", meters::open_battery},
    Source{kExternal, "a meter beside the machine that writes a CSV file", meters::open_external},
    Source{kEstimate, "CPU power from its utilisation, without a sensor", meters::open_estimate},
};

void check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool known = std::any_of(kSources.begin(), kSources.end(),
                                   [&](const Source& source) { return source.name == name; });
    if (known) continue;
    std::vector<std::string_view> all;
    all.reserve(kSources.size());
    for (const Source& source : kSources) all.push_back(source.name);
    throw Error(ErrorKind::BadInput,
                fmt::format("there is no source '{}'; known are {}", name, fmt::join(all, ", ")));
  }
}

bool wanted(const Source& source, const ProbeOptions& options) {
  if (options.sources.empty()) return source.name != kEstimate;
  return std::find(options.sources.begin(), options.sources.end(), source.name) !=
         options.sources.end();
}

/// Which part of the machine a meter covers, so that the same part is not taken twice.
std::string part_of(const MeterInfo& info) {
  if (info.level == Level::Other || info.level == Level::Rail) return info.name;
  return fmt::format("{} of {}", name_of(info.level), info.device);
}

class Collected {
 public:
  explicit Collected(Probe& probe) : probe_(probe) {}

  void add(Probe found) {
    for (auto& meter : found.meters) {
      if (!parts_.insert(part_of(meter->info())).second) {
        note_dropped(meter->info());
        continue;
      }
      probe_.meters.push_back(std::move(meter));
    }
    move_all(found.missing, probe_.missing);
    move_all(found.notes, probe_.notes);
  }

 private:
  /// What the user named is not left out in silence.
  void note_dropped(const MeterInfo& info) {
    if (info.source != kExternal) return;
    probe_.notes.push_back(fmt::format("{} is left out, because another meter measures {} already",
                                       info.name, info.device));
  }

  template <class T>
  static void move_all(std::vector<T>& from, std::vector<T>& to) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }

  Probe& probe_;
  std::set<std::string> parts_;
};

bool measures_cpu(const Probe& probe) {
  return std::any_of(probe.meters.begin(), probe.meters.end(), [](const auto& meter) {
    const Level level = meter->info().level;
    return level != Level::Gpu && level != Level::Other && level != Level::Dram;
  });
}

/// Whether the machine itself has a meter that can be summed: one in a file that the user gave adds
/// to what there is, and takes nothing away.
bool has_own_meter(const Probe& probe) {
  return std::any_of(probe.meters.begin(), probe.meters.end(), [](const auto& meter) {
    return meter->info().source != kExternal && meter->info().level != Level::Other;
  });
}

/// "--source nvml --source estimate": what is there, and an estimate of the CPUs.
std::string flags_with_estimate(const Probe& probe) {
  std::set<std::string> names;
  std::string flags;
  for (const auto& meter : probe.meters) {
    if (names.insert(meter->info().source).second)
      flags += "--source " + meter->info().source + " ";
  }
  return flags + "--source estimate";
}

}  // namespace

std::span<const Source> meter_sources() { return kSources; }

Probe open_probe(const ProbeOptions& options) {
  check_names(options.sources);
  Probe probe;
  Collected collected(probe);
  for (const Source& source : kSources) {
    if (wanted(source, options)) collected.add(source.open(options));
  }
  if (!options.sources.empty()) return probe;
  if (measures_cpu(probe)) return probe;
  if (!has_own_meter(probe)) {
    const bool file = std::any_of(probe.meters.begin(), probe.meters.end(), [](const auto& meter) {
      return meter->info().source == kExternal;
    });
    collected.add(meters::open_estimate(options));
    probe.notes.push_back(
        fmt::format("energy cannot be measured on this machine{}, so that of its CPUs is estimated "
                    "from their utilisation; 'jouletree doctor' tells how to get real sensors",
                    file ? ", apart from what the file of --external tells" : ""));
  } else {
    probe.notes.push_back(
        fmt::format("the energy of the CPUs cannot be measured and is not in the total; 'jouletree "
                    "doctor' tells how to get a sensor, {} adds an estimate",
                    flags_with_estimate(probe)));
  }
  return probe;
}

}  // namespace jouletree
