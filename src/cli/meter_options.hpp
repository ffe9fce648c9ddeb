#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "jouletree/probe.hpp"

namespace jouletree::cli {

/// Flags that say which meters of which machine are read, and how often; shared by all commands
/// that measure.
struct MeterOptions {
  std::string sysroot = "/";
  std::vector<std::string> sources;
  std::string cpu_watts;
  std::string machine_file;
  std::vector<std::string> external;
  std::string external_offset;
  std::string nvml;
  std::string
      interval;  ///< As text; what a command says is its default. Empty: it has no such flag.

  void add_to(CLI::App& command);
  /// Throws Error(BadInput) naming the flag that cannot be used.
  [[nodiscard]] ProbeOptions probe_options() const;
  [[nodiscard]] std::chrono::nanoseconds sampling_interval() const;
};

/// Says on standard error what the user should know of the meters.
void tell_of_meters(const std::string& sentence);

}  // namespace jouletree::cli
