#pragma once

#include <string>
#include <vector>

#include "report/monitor/metric_family.hpp"

namespace jouletree::report {

/// In the text format of Prometheus, version 0.0.4. Labels are UTF-8 without control characters,
/// because one that is not would make Prometheus refuse all metrics.
[[nodiscard]] std::string metrics_text(const std::vector<MetricFamily>& families);

/// The media type of that text.
inline constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace jouletree::report
