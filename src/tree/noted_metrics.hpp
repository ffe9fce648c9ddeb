#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tree/metric_set.hpp"

namespace jouletree::tree {

/// The metrics of one run of the program, and what went wrong with those of plug-ins.
class NotedMetrics {
 public:
  explicit NotedMetrics(const std::vector<std::filesystem::path>& plugins) : set_(plugins) {}

  [[nodiscard]] const std::vector<MetricEntry>& entries() const { return set_.entries(); }
  /// Remember which metrics failed, and that it was for the model of this label.
  [[nodiscard]] std::vector<MetricResult> of(const ModelTree& tree, const std::string& label);
  [[nodiscard]] std::vector<MetricResult> of(const MeasuredModel& model, const std::string& label);
  /// Names of plug-ins that give nothing for models that did not run.
  [[nodiscard]] std::vector<std::string_view> plugins_for_profiles() const;
  /// Plug-ins that cannot be used; one sentence each.
  [[nodiscard]] const std::vector<std::string>& bad_plugins() const { return set_.problems(); }
  /// Metrics that failed so far; one sentence each.
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }

 private:
  [[nodiscard]] std::vector<MetricResult> noted(std::vector<MetricResult> results,
                                                const std::string& label);

  MetricSet set_;
  std::vector<std::string> failures_;
};

}  // namespace jouletree::tree
