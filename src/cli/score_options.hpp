#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "jouletree/score_model.hpp"

namespace jouletree::cli {

/// Flags that say what a model is scored on and by; shared by 'score' and 'profile'.
struct ScoreOptions {
  /// How the flag for the examples is called here: --data, unless that is for something else.
  explicit ScoreOptions(std::string flag) : data_flag(std::move(flag)) {}

  std::string data_flag;
  std::vector<std::string> data;
  std::string labels;
  std::vector<std::string> metrics;
  std::optional<std::int64_t> batch;
  std::string output;
  std::string outputs_are = "auto";
  std::optional<int> class_axis;
  std::int64_t ignored_label = -100;
  double epr_alpha = 1;

  void add_to(CLI::App& command);
  [[nodiscard]] bool is_asked() const { return !data.empty(); }
  /// Throws Error(BadInput) where data or labels are missing although the other is there, or a
  /// value cannot be used.
  void check() const;
  /// What these flags decide.
  [[nodiscard]] ScoreSettings settings() const;
};

}  // namespace jouletree::cli
