#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "report/differences.hpp"
#include "report/type_differences.hpp"
#include "tree/metric_set.hpp"

namespace jouletree::report {

struct ComparedModel {
  std::string label;  ///< All differ.
  std::string file;   ///< Or folder of a profile.
  std::vector<InputShape> inputs;
  std::vector<tree::MetricResult> metrics;
  std::map<std::string, TypeUse> types;
  bool knows_types = true;  ///< Else its operators are unknown, and compared with nobody's.
  std::vector<std::string> notes;
};

/// What is compared, the first with each of the others; all with the same metrics.
struct ComparedModels {
  std::vector<ComparedModel> models;
  std::vector<std::string> notes;  ///< On all together.
  /// Of each further profile from the first one.
  std::vector<Differences> differences{};
};

/// A model that was counted.
[[nodiscard]] ComparedModel compared_model(const ModelTree& tree, const std::string& label,
                                           std::vector<tree::MetricResult> metrics);

/// Gives each model the metrics of all, in the order of the catalogue: what was measured of one is
/// unknown of those that were only counted. What is measured and unknown of all is left out.
void align_metrics(const std::vector<tree::MetricEntry>& catalogue, ComparedModels& models);

/// Those whose operators are known.
[[nodiscard]] std::vector<const ComparedModel*> models_with_types(const ComparedModels& models);
[[nodiscard]] TypeDifferences differences_in_types(const std::vector<const ComparedModel*>& models);

/// One table with a column per model and how each compares with the first. With `by_type`, a second
/// one with the types of operators in which they differ. Then where profiles differ.
void print_compare_table(const ComparedModels& models, bool by_type, std::ostream& out,
                         const ShownDifferences& shown = {});
void print_compare_json(const ComparedModels& models, bool by_type, std::ostream& out);

}  // namespace jouletree::report
