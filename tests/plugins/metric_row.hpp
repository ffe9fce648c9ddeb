#pragma once

#include "jouletree/metric_plugin.hpp"

namespace jouletree::test {

/// A row of a plug-in of which only what the test is about differs.
constexpr Metric metric_row(std::string_view name, MetricValue (*compute)(const ModelTree&)) {
  return {.name = name,
          .friendly_name = name,
          .unit = "1",
          .short_unit = "",
          .scale = MetricScale::Plain,
          .comparison = MetricComparison::Difference,
          .better = Better::Higher,
          .description = "Made for a test",
          .provenance = Provenance::Estimated,
          .from_tree = compute};
}

/// The same, of profiles.
constexpr Metric profile_row(std::string_view name, MetricValue (*compute)(const MeasuredModel&)) {
  Metric metric = metric_row(name, nullptr);
  metric.from_profile = compute;
  return metric;
}

inline MetricValue forty_two(const ModelTree& /*tree*/) { return {42.0, false}; }

}  // namespace jouletree::test
