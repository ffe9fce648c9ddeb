#include <array>

#include "plugins/metric_row.hpp"

namespace jouletree::test {
namespace {
constexpr std::array<PluginMetric, 1> kMetrics = {{{metric_row("answer", forty_two)}}};
constexpr MetricPlugin kPlugin = {.name = {}, .metrics = kMetrics};
}  // namespace
}  // namespace jouletree::test

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &jouletree::test::kPlugin; }
