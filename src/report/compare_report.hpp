#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/type_differences.hpp"
#include "tree/metric_set.hpp"

namespace jouletree::report {

/// A number that was measured, not counted.
struct MeasuredFigure {
  std::string name;   ///< Key in JSON.
  std::string title;  ///< For people.
  std::string unit;
  Better better = Better::Lower;
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
  std::string provenance;  ///< Empty where the value is unknown.
};

struct ComparedModel {
  std::string label;  ///< All differ.
  std::string file;   ///< Or folder of a profile.
  std::vector<InputShape> inputs;
  std::vector<tree::MetricResult> metrics;
  std::vector<MeasuredFigure> figures;  ///< Of a profile; empty for what was only counted.
  std::map<std::string, TypeUse> types;
  std::vector<std::string> notes;
};

/// What is compared, the first with each of the others; all with the same metrics.
struct ComparedModels {
  std::vector<ComparedModel> models;
  std::vector<std::string> notes;  ///< On all together.
};

/// A model that was counted.
[[nodiscard]] ComparedModel compared_model(const ModelTree& tree, const std::string& label,
                                           std::vector<tree::MetricResult> metrics);

/// How a measured figure relates to that of the first model.
struct ComparedFigure {
  std::optional<double> ratio;
  /// "better", "worse", "different", "same", "intervals overlap", "unknown".
  std::string verdict = "unknown";
};
[[nodiscard]] ComparedFigure compare_figures(const MeasuredFigure* first,
                                             const MeasuredFigure* other);
/// Null where the model has no such figure.
[[nodiscard]] const MeasuredFigure* find_figure(const ComparedModel& model,
                                                const std::string& name);
/// Every figure that one of the models has, once.
[[nodiscard]] std::vector<MeasuredFigure> figures_of(const ComparedModels& models);

/// One table with a column per model and how each compares with the first. With `by_type`, a second
/// one with the types of operators in which they differ.
void print_compare_table(const ComparedModels& models, bool by_type, std::ostream& out);
void print_compare_json(const ComparedModels& models, bool by_type, std::ostream& out);

}  // namespace jouletree::report
