#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/clock.hpp"
#include "jouletree/meter.hpp"

namespace jouletree {

/// Power of the CPUs of a machine: doing nothing, and all cores busy.
struct CpuWatts {
  Watts idle;
  Watts full;
};

/// Stands for all columns of an external meter's file that are power by their titles or units.
inline constexpr std::string_view kAllColumns = "all";

/// A meter beside the machine that writes time stamps and watts to a file.
struct ExternalFile {
  std::filesystem::path path;
  /// Added to the file's time stamps, where its clock is wrong.
  std::chrono::nanoseconds offset{};
  /// Titles or numbers (from 1) of the columns that hold watts, one meter each, or kAllColumns;
  /// where empty, the only column that can be power.
  std::vector<std::string> columns{};
  /// Title or number of the column that tells devices apart whose rows follow each other.
  std::string device_column{};
};

/// Where and how to look for meters. Files named by the user are not below `root`.
struct ProbeOptions {
  std::filesystem::path root = "/";  ///< Holds sys, proc and dev of the machine to measure.
  const Clock* clock = &machine_clock();
  /// Names of sources to open; empty opens all, and the estimate only if nothing else can be read.
  std::vector<std::string> sources{};
  /// Shared library of NVML; else the variable JOULETREE_NVML, else libnvidia-ml.so.1.
  std::filesystem::path nvml_library{};
  std::vector<ExternalFile> external{};
  std::optional<CpuWatts> cpu_watts{};   ///< As given by the user.
  std::filesystem::path machine_file{};  ///< JSON with {"cpu_watts": {"idle": 20, "full": 95}}.
};

/// One way to get at energy.
struct Source {
  std::string_view name;  ///< Never changes between releases.
  std::string_view what;  ///< A few words for people.
  Probe (*open)(const ProbeOptions& options);
};

/// In the order in which they are tried: where two measure the same part, the first one stays.
[[nodiscard]] std::span<const Source> meter_sources();

/// Opens what can be read. Each part of the machine is measured once. Throws Error(BadInput) for
/// the name of a source that does not exist, and for a file named by the user that cannot be used.
[[nodiscard]] Probe open_probe(const ProbeOptions& options);

/// "20:95", watts doing nothing and with all cores busy. Throws Error(BadInput).
[[nodiscard]] CpuWatts parse_cpu_watts(std::string_view text);

}  // namespace jouletree
