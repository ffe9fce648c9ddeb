#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "tree/metric_set.hpp"

namespace jouletree::report {

/// A value as people read it: "4.09 G (4,089,184,256)", "97.7 MiB", "at least 1.2 k", "unknown".
[[nodiscard]] std::string metric_text(const Metric& metric, const MetricValue& result);
/// The same in few characters, for tables with many columns: "4.09 G".
[[nodiscard]] std::string short_metric_text(const Metric& metric, const MetricValue& result);
/// How another model compares: "× 2.19 worse", "+3.0 % better", "× 1.02, intervals overlap",
/// "same", "unknown".
[[nodiscard]] std::string comparison_text(const Metric& metric, const ComparedValue& compared);
/// How a title stands below another one that it continues: "  p90" below "Latency, mean".
[[nodiscard]] std::string title_below(std::string_view title, std::string_view above);
/// A line for each plug-in: which metrics are its own, and which of the built-in ones it overrides;
/// with the provenance of those that are not counted.
void print_plugin_notes(const std::vector<tree::MetricResult>& results, std::ostream& out);

}  // namespace jouletree::report
