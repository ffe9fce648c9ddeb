#include <algorithm>

#include "report/compare_report.hpp"

namespace jouletree::report {

ComparedModel compared_model(const ModelTree& tree, const std::string& label,
                             std::vector<tree::MetricResult> metrics) {
  ComparedModel model;
  model.label = label;
  model.file = tree.graph->path.string();
  model.inputs = tree.inference.inputs;
  model.metrics = std::move(metrics);
  model.types = type_uses(tree);
  model.notes = tree.notes;
  return model;
}

const MeasuredFigure* find_figure(const ComparedModel& model, const std::string& name) {
  const auto found = std::find_if(model.figures.begin(), model.figures.end(),
                                  [&](const MeasuredFigure& one) { return one.name == name; });
  return found == model.figures.end() ? nullptr : &*found;
}

std::vector<MeasuredFigure> figures_of(const ComparedModels& models) {
  std::vector<MeasuredFigure> all;
  for (const ComparedModel& model : models.models) {
    for (const MeasuredFigure& figure : model.figures) {
      const auto is_it = [&](const MeasuredFigure& one) { return one.name == figure.name; };
      if (std::none_of(all.begin(), all.end(), is_it)) all.push_back(figure);
    }
  }
  return all;
}

ComparedFigure compare_figures(const MeasuredFigure* first, const MeasuredFigure* other) {
  if (first == nullptr || other == nullptr || !first->value || !other->value) return {};
  ComparedFigure compared;
  if (*first->value != 0) compared.ratio = *other->value / *first->value;
  const double first_low = first->low.value_or(*first->value);
  const double first_high = first->high.value_or(*first->value);
  const double other_low = other->low.value_or(*other->value);
  const double other_high = other->high.value_or(*other->value);
  if (*first->value == *other->value) {
    compared.verdict = "same";
  } else if (other_low <= first_high && first_low <= other_high) {
    compared.verdict = "intervals overlap";
  } else if (first->better == Better::Neither) {
    compared.verdict = "different";
  } else {
    const bool is_lower = *other->value < *first->value;
    compared.verdict = is_lower == (first->better == Better::Lower) ? "better" : "worse";
  }
  return compared;
}

}  // namespace jouletree::report
