#include "tree/noted_metrics.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text_table.hpp"

namespace jouletree::tree {

std::vector<MetricResult> NotedMetrics::of(const ModelTree& tree, const std::string& label) {
  return noted(set_.compute(tree), label);
}

std::vector<MetricResult> NotedMetrics::of(const MeasuredModel& model, const std::string& label) {
  return noted(set_.compute(model), label);
}

std::vector<MetricResult> NotedMetrics::noted(std::vector<MetricResult> results,
                                              const std::string& label) {
  for (const MetricResult& result : results) {
    if (result.failure.empty()) continue;
    failures_.push_back(
        printable(fmt::format("plug-in '{}': metric '{}' of {} is unknown: {}", result.entry.plugin,
                              result.entry.metric.name, label, result.failure)));
  }
  return results;
}

std::vector<std::string_view> NotedMetrics::plugins_for_profiles() const {
  std::vector<std::string_view> names;
  const std::vector<MetricEntry>& entries = set_.entries();
  for (const MetricEntry& entry : entries) {
    const auto helps = [&](const MetricEntry& one) {
      return one.plugin == entry.plugin && one.from_tree;
    };
    const bool is_new = std::find(names.begin(), names.end(), entry.plugin) == names.end();
    if (!entry.plugin.empty() && is_new && std::none_of(entries.begin(), entries.end(), helps))
      names.push_back(entry.plugin);
  }
  return names;
}

}  // namespace jouletree::tree
