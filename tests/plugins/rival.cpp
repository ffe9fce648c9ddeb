// Built several times under different names: each overrides `macs` and gives `answer`.
#include <array>

#include "plugins/metric_row.hpp"

namespace jouletree::test {
namespace {
constexpr std::array<PluginMetric, 2> kMetrics = {
    {{metric_row("macs", forty_two), true}, {metric_row("answer", forty_two)}}};
constexpr MetricPlugin kPlugin = {.name = RIVAL_NAME, .metrics = kMetrics};
}  // namespace
}  // namespace jouletree::test

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &jouletree::test::kPlugin; }
