#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tree/metric_set.hpp"

namespace jouletree::cli {

/// The flag that adds metrics; shared by all commands that show metrics.
struct PluginOptions {
  std::vector<std::string> files;

  void add_to(CLI::App& command);
};

/// The metrics of one run of the program, and what went wrong with those of plug-ins.
class PluginMetrics {
 public:
  explicit PluginMetrics(const PluginOptions& options);

  [[nodiscard]] const std::vector<tree::MetricEntry>& entries() const { return set_.entries(); }
  /// Remember which metrics failed, and that it was for the model of this label.
  [[nodiscard]] std::vector<tree::MetricResult> of(const ModelTree& tree, const std::string& label);
  [[nodiscard]] std::vector<tree::MetricResult> of(const MeasuredModel& model,
                                                   const std::string& label);
  /// Names of plug-ins that give nothing for models that did not run.
  [[nodiscard]] std::vector<std::string_view> plugins_for_profiles() const;
  /// Throws Error(BadInput) where a plug-in cannot be used: for commands that take long.
  void throw_bad_plugins() const;
  /// To be called behind the report: throws Error(BadInput) where a plug-in cannot be used, else
  /// Error(Failed) where a metric failed. Prints what does not fit into one error before.
  void throw_problems() const;

 private:
  [[nodiscard]] std::vector<tree::MetricResult> noted(std::vector<tree::MetricResult> results,
                                                      const std::string& label);

  tree::MetricSet set_;
  std::vector<std::string> failures_;
};

}  // namespace jouletree::cli
