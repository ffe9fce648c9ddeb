#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

/// Flags that say how an engine is opened; shared by the commands that run models.
struct EngineFlags {
  int threads = 1;
  std::string level = "all";
  std::string execution = "sequential";
  std::string device = "cpu";
  std::vector<std::string> provider_options;
  std::string python;

  void add_to(CLI::App& command);
  /// For commands that have threads of their own.
  void add_all_but_threads(CLI::App& command);
  /// Sets what both kinds of settings call the same. Throws Error(BadInput) naming the flag.
  template <class Settings>
  void put_into(Settings& settings) const {
    settings.threads = threads;
    settings.level = level;
    settings.execution = execution;
    settings.device = device;
    settings.device_options = device_options();
    settings.python = python;
  }

  [[nodiscard]] std::map<std::string, std::string> device_options() const;
};

}  // namespace jouletree::cli
