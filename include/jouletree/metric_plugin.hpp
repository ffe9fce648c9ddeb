#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jouletree/metrics.hpp"

// Metrics of your own. A plug-in is a shared library that defines jouletree_metric_plugin();
// `--plugin my_metric.so` of inspect, compare, profile and show opens it. It needs these headers
// only: the program provides the functions they declare. docs/adding-a-metric.md walks through a
// complete one.

namespace jouletree {

/// Version of this interface. It grows when a plug-in that was built before can no longer be used.
inline constexpr std::uint32_t kMetricPluginVersion = 3;

/// Follows from the sizes of what a metric can see. It differs where a plug-in was built with
/// other headers, or with compiler settings that change the standard library's types.
inline constexpr std::uint32_t kMetricPluginLayout = [] {
  std::uint32_t layout = 1;
  for (const std::size_t size :
       {sizeof(Metric),         sizeof(MetricValue),     sizeof(ModelTree),
        sizeof(TreeNode),       sizeof(Totals),          sizeof(Graph),
        sizeof(GraphValue),     sizeof(StoredTensor),    sizeof(Node),
        sizeof(Attribute),      sizeof(Block),           sizeof(ValueType),
        sizeof(NodeResult),     sizeof(ConstantUse),     sizeof(MeasuredModel),
        sizeof(MeasuredLedger), sizeof(MeasuredLatency), sizeof(CountedMetric),
        sizeof(Score),          sizeof(ScoredMetric)})
    layout = layout * 31 + static_cast<std::uint32_t>(size);
  return layout;
}();

/// One metric that a plug-in gives. All its texts but `short_unit` must say something, and its name
/// consists of a-z, 0-9 and '_'.
///
/// It has `from_tree`, `from_profile` or both. `from_tree` alone is also a metric of profiles: when
/// a model is profiled with the plug-in, it is computed for the model as it was given and kept
/// with the profile. Each is called once for each model or profile, from one thread at a time, and
/// must not keep references to what it was given. An exception that it throws, of any type, is
/// caught; that, NaN, infinity and bounds that do not enclose the value make this metric unknown,
/// with the reason, and leave all others alone. The program then ends with exit code 1. What cannot
/// be known is an empty value: that is no error.
struct PluginMetric {
  Metric metric;
  /// It stands in the place of the built-in metric of the same name. A metric that does not say
  /// so must have a name of its own.
  bool overrides = false;
};

/// What a plug-in gives. It belongs to the plug-in and, with all it refers to, must stay valid and
/// unchanged as long as the library is open.
struct MetricPlugin {
  /// Always the first member: nothing behind it is read unless it fits.
  std::uint32_t interface_version = kMetricPluginVersion;
  std::uint32_t layout = kMetricPluginLayout;
  std::string_view name;  ///< For messages and as "source" in JSON; not empty.
  std::span<const PluginMetric> metrics;
};

}  // namespace jouletree

/// The entry point that a plug-in defines. Called once, after the library was opened.
extern "C" [[gnu::visibility("default")]] const jouletree::MetricPlugin* jouletree_metric_plugin();
