// One row for each thing that can be wrong with a row, and a good one that must still be shown.
#include <array>

#include "plugins/metric_row.hpp"

namespace jouletree::test {
namespace {

constexpr Metric without_friendly_name() {
  Metric metric = metric_row("no_friendly_name", forty_two);
  metric.friendly_name = "";
  return metric;
}
constexpr Metric without_unit() {
  Metric metric = metric_row("no_unit", forty_two);
  metric.unit = {};
  return metric;
}
constexpr Metric without_description() {
  Metric metric = metric_row("no_description", forty_two);
  metric.description = {};
  return metric;
}
constexpr Metric with_odd_scale() {
  Metric metric = metric_row("odd_scale", forty_two);
  metric.scale = static_cast<MetricScale>(99);
  return metric;
}

constexpr std::array<PluginMetric, 13> kMetrics = {
    {{metric_row("", forty_two)},
     {metric_row({}, forty_two)},
     {metric_row("Has Spaces", forty_two)},
     {without_friendly_name()},
     {without_unit()},
     {without_description()},
     {with_odd_scale()},
     {metric_row("no_function", nullptr)},
     {metric_row("params", forty_two)},
     {metric_row("nothing_built_in", forty_two), true},
     {metric_row("twice", forty_two)},
     {metric_row("twice", forty_two)},
     {metric_row("good", forty_two)}}};

constexpr MetricPlugin kPlugin = {.name = "bad-rows", .metrics = kMetrics};

}  // namespace
}  // namespace jouletree::test

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &jouletree::test::kPlugin; }
