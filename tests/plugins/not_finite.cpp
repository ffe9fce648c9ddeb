// Metrics that return no number, among them one in the place of a built-in metric.
#include <array>
#include <limits>

#include "plugins/metric_row.hpp"

namespace jouletree::test {
namespace {

MetricValue not_a_number(const ModelTree& /*tree*/) {
  return {std::numeric_limits<double>::quiet_NaN(), false};
}
MetricValue infinite(const ModelTree& /*tree*/) {
  return {-std::numeric_limits<double>::infinity(), false};
}
MetricValue unknown(const ModelTree& /*tree*/) { return {}; }

constexpr std::array<PluginMetric, 3> kMetrics = {{{metric_row("flops", not_a_number), true},
                                                   {metric_row("endless", infinite)},
                                                   {metric_row("modest", unknown)}}};
constexpr MetricPlugin kPlugin = {.name = "not-finite", .metrics = kMetrics};

}  // namespace
}  // namespace jouletree::test

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &jouletree::test::kPlugin; }
