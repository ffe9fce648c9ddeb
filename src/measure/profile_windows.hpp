#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// One window of a profile, and what ran in it.
struct ProfileWindow {
  std::string kind;               ///< "whole", "operator", "module".
  std::string name;               ///< Of the model, the first operator, the module.
  std::string key;                ///< Of operators; empty otherwise.
  std::vector<std::string> also;  ///< Modules that are equal and were not measured again.
  Window window;                  ///< Its runs are those of the workload.
  double seconds_per_run = 0;
  bool set_aside = false;          ///< Of a series that does not count.
  std::optional<double> energy_j;  ///< Nothing where power is not known for all of it.
};

[[nodiscard]] inline double seconds_between(Time from, Time to) {
  return std::chrono::duration<double>(to - from).count();
}

/// The moment that times in files are told from: when the first thing was measured.
[[nodiscard]] Time begin_of(const Profile& profile);

/// All windows, by time.
[[nodiscard]] std::vector<ProfileWindow> windows_of(const Profile& profile);

}  // namespace jouletree::measure
