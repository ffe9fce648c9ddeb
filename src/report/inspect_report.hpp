#pragma once

#include <iosfwd>
#include <limits>
#include <string>

#include "tree/metric_set.hpp"

namespace jouletree::report {

enum class Grouping { Module, Operator, Type };
enum class SortKey { Order, Macs, Flops, Params, Bytes, Name };

struct InspectView {
  Grouping grouping = Grouping::Module;
  SortKey sort = SortKey::Order;
  int depth = std::numeric_limits<int>::max();  ///< Levels below the root that are shown.
};

/// The deepest level at which the tree still fits on a page or two.
[[nodiscard]] int readable_depth(const ModelTree& tree);
/// The same for so many lines on each level.
[[nodiscard]] int readable_depth(const std::vector<std::int64_t>& counts);

/// Summary, then the tree or list, then what the reader must know about the numbers.
void print_inspect_table(const ModelTree& tree, const std::vector<tree::MetricResult>& metrics,
                         const InspectView& view, std::ostream& out);
/// One JSON object: metrics, inputs, groups and notes.
void print_inspect_json(const ModelTree& tree, const std::vector<tree::MetricResult>& metrics,
                        const InspectView& view, std::ostream& out);

}  // namespace jouletree::report
