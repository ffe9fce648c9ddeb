// Finite values at the edges of what a double holds, in each scale: all of them must be printed.
#include <array>
#include <limits>

#include "plugins/metric_row.hpp"

namespace jouletree::test {
namespace {

MetricValue largest(const ModelTree& /*tree*/) {
  return {std::numeric_limits<double>::max(), true};
}
MetricValue tiny(const ModelTree& /*tree*/) { return {0.00042, false}; }
MetricValue one_and_a_half(const ModelTree& /*tree*/) { return {1.5, false}; }

constexpr Metric scaled(Metric metric, MetricScale scale, MetricComparison comparison) {
  metric.scale = scale;
  metric.comparison = comparison;
  return metric;
}

constexpr std::array<PluginMetric, 6> kMetrics = {
    {{scaled(metric_row("plain_largest", largest), MetricScale::Plain, MetricComparison::Ratio)},
     {scaled(metric_row("plain_tiny", tiny), MetricScale::Plain, MetricComparison::None)},
     {scaled(metric_row("whole_largest", largest), MetricScale::Thousands,
             MetricComparison::Difference)},
     {scaled(metric_row("whole_broken", one_and_a_half), MetricScale::Thousands,
             MetricComparison::Ratio)},
     {scaled(metric_row("bytes", one_and_a_half), MetricScale::Bytes,
             MetricComparison::Reciprocal)},
     {scaled(metric_row("share", one_and_a_half), MetricScale::Ratio,
             MetricComparison::Difference)}}};
constexpr MetricPlugin kPlugin = {.name = "extreme", .metrics = kMetrics};

}  // namespace
}  // namespace jouletree::test

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &jouletree::test::kPlugin; }
