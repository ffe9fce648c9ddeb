#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/clock.hpp"

namespace jouletree::measure {

/// Everything that somebody must know to compare a measurement with another one.
struct Environment {
  std::string program;                           ///< "jouletree 0.1.0"
  std::string date;                              ///< When the profile began, UTC, ISO 8601.
  std::int64_t began_ns = 0;                     ///< The same since 1970: tells profiles apart.
  std::string host_system;                       ///< PRETTY_NAME of /etc/os-release.
  std::string kernel;                            ///< "Linux 6.1.0 x86_64"
  std::string cpu;                               ///< What its maker calls it.
  int cpus = 0;                                  ///< That this process may use.
  int machine_cpus = 0;                          ///< That there are.
  std::optional<std::int64_t> core_cache_bytes;  ///< Of the second-level cache.
  std::optional<std::int64_t> last_cache_bytes;  ///< Of the last-level cache.
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::string> governor;
  std::optional<bool> turbo;
  std::optional<std::string> hypervisor;  ///< Nothing where there is none, or it does not tell.
  std::vector<std::string> meters;
  std::vector<std::string> gpus;  ///< What their makers call them.
  std::string model_file;
  std::int64_t model_bytes = 0;
  /// Settings of the engine and the protocol, by name: "engine", "threads", "level", "seed" …
  std::map<std::string, std::string> settings;
};

/// What the machine below a root folder ("/") tells; model, meters and settings stay empty.
[[nodiscard]] Environment read_environment(const std::filesystem::path& root,
                                           const Clock& clock = machine_clock());

}  // namespace jouletree::measure
