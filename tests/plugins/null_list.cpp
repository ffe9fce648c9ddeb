// A name, but no metrics.
#include "plugins/metric_row.hpp"

namespace {
constexpr jouletree::MetricPlugin kPlugin = {.name = "null-list", .metrics = {}};
}

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &kPlugin; }
