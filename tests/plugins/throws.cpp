// Metrics that throw, and one that does not and must still be shown.
#include <array>
#include <stdexcept>

#include "plugins/metric_row.hpp"

namespace jouletree::test {
namespace {

MetricValue throws_exception(const ModelTree& /*tree*/) {
  throw std::runtime_error("the table of prices\nis missing");
}
MetricValue throws_error(const ModelTree& tree) {
  // Beyond 64 bits.
  const Count size = Count(std::int64_t{1} << 62) * Count(4) * Count(tree.root.totals.params);
  return {static_cast<double>(size.value()), false};
}
MetricValue throws_number(const ModelTree& /*tree*/) {
  throw 7;  // NOLINT(misc-throw-by-value-catch-by-reference)
}

constexpr std::array<PluginMetric, 4> kMetrics = {{{metric_row("price", throws_exception)},
                                                   {metric_row("overflow", throws_error)},
                                                   {metric_row("odd", throws_number)},
                                                   {metric_row("survivor", forty_two)}}};
constexpr MetricPlugin kPlugin = {.name = "throws", .metrics = kMetrics};

}  // namespace
}  // namespace jouletree::test

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &jouletree::test::kPlugin; }
