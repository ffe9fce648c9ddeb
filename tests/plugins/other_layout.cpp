// The right version, but built with other headers or settings.
#include "plugins/metric_row.hpp"

namespace {
constexpr jouletree::MetricPlugin kPlugin = {
    .layout = jouletree::kMetricPluginLayout + 1, .name = "other-layout", .metrics = {}};
}

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &kPlugin; }
