#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "measure/trials.hpp"

namespace jouletree::store {

/// The windows of one workload as a profile keeps them: by time, without those that were set aside.
struct TrialSeries {
  std::string kind;               ///< "whole", "program", "operator", "module".
  std::string name;               ///< Of the model, the first operator, the module.
  std::string key;                ///< Of operators; empty otherwise.
  std::vector<std::string> also;  ///< Scopes of modules that are equal and were not measured again.
  measure::Trials time;           ///< Seconds per run.
  measure::Trials energy;  ///< Joules per run in the place of seconds; windows that have them.
};

/// The raw trials of a profile.
struct ProfileTrials {
  std::vector<TrialSeries> series;
  std::string missing{};  ///< Why there are none, or not all; empty where there are.

  /// Null where there is none. A module may have the windows of its only operator.
  [[nodiscard]] const TrialSeries* whole() const;
  [[nodiscard]] const TrialSeries* module(std::string_view scope) const;
  /// That of the kind whose first operator has this scope; null where several have.
  [[nodiscard]] const TrialSeries* operation(std::string_view scope) const;
};

/// Of the content of a trials.jsonl. What is damaged is left out, and `missing` says so.
[[nodiscard]] ProfileTrials parse_trials(std::string_view text);
/// Of a folder that 'jouletree profile -o' wrote.
[[nodiscard]] ProfileTrials trials_in(const std::filesystem::path& folder);
/// Of a whole model of which only the seconds per run of each window are known, not when they ran.
[[nodiscard]] ProfileTrials trials_of_seconds(const std::vector<double>& seconds);

}  // namespace jouletree::store
