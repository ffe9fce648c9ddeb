#pragma once

#include <iosfwd>
#include <vector>

#include "tree/metric_set.hpp"

namespace jouletree::report {

/// A line for each metric: name, title, unit, how it is obtained and compares, what it means.
void print_metric_table(const std::vector<tree::MetricEntry>& entries, std::ostream& out);
void print_metric_json(const std::vector<tree::MetricEntry>& entries, std::ostream& out);
/// The page docs/metrics.md.
void print_metric_markdown(const std::vector<tree::MetricEntry>& entries, std::ostream& out);

}  // namespace jouletree::report
