#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "jouletree/metrics.hpp"

namespace jouletree::tree {

class PluginLibrary;

/// A metric and where it comes from.
struct MetricEntry {
  Metric metric;
  std::string_view plugin;  ///< Name of the plug-in that gives it; empty for built-in metrics.
  bool overrides = false;   ///< It stands in the place of a built-in metric.
};

/// A metric of one model.
struct MetricResult {
  MetricEntry entry;
  MetricValue value;    ///< Unknown where the metric failed.
  std::string failure;  ///< Why it failed; empty where it did not.
};

/// The row of the catalogue; null where there is none of that name.
[[nodiscard]] const Metric* built_in_metric(std::string_view name);

/// The metrics that reports show: the catalogue and those of plug-ins. Keeps the plug-ins open;
/// texts of entries and results point into them. Movable, not copyable.
class MetricSet {
 public:
  /// A plug-in, or a metric of one, that cannot be used is left out and listed in problems(). Where
  /// plug-ins contradict each other, none of them is used for that metric.
  explicit MetricSet(const std::vector<std::filesystem::path>& plugins = {});
  MetricSet(MetricSet&&) noexcept;
  MetricSet& operator=(MetricSet&&) noexcept;
  ~MetricSet();

  /// In the order in which reports show them: the catalogue, then plug-ins as given.
  [[nodiscard]] const std::vector<MetricEntry>& entries() const { return entries_; }
  /// One sentence each: which plug-in, what is wrong, what to do.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

  /// A metric of a plug-in that throws, or is not finite, is unknown and says why.
  [[nodiscard]] std::vector<MetricResult> compute(const ModelTree& tree) const;

 private:
  void open(const std::filesystem::path& path);
  void add_metrics();

  std::vector<PluginLibrary> libraries_;
  std::vector<MetricEntry> entries_;
  std::vector<std::string> problems_;
};

}  // namespace jouletree::tree
