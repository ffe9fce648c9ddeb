#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tree/metric_set.hpp"

namespace jouletree {

/// What is compared, the first with each of the others.
struct ComparedModels {
  std::vector<std::string> labels;  ///< One per tree, all different.
  std::vector<ModelTree> trees;
  std::vector<std::vector<MetricResult>> metrics;  ///< Per tree, of the same metrics each.
};

/// One table with a column per model and how each compares with the first. With `by_type`, a second
/// one with the types of operators in which they differ.
void print_compare_table(const ComparedModels& models, bool by_type, std::ostream& out);
void print_compare_json(const ComparedModels& models, bool by_type, std::ostream& out);

}  // namespace jouletree
