#include <algorithm>

#include "report/compare_report.hpp"

namespace jouletree::report {
namespace {

const tree::MetricResult* find_metric(const ComparedModel& model, std::string_view name) {
  const auto found =
      std::find_if(model.metrics.begin(), model.metrics.end(),
                   [&](const tree::MetricResult& one) { return one.entry.metric.name == name; });
  return found == model.metrics.end() ? nullptr : &*found;
}

bool is_shown(const tree::MetricEntry& entry, const std::vector<ComparedModel>& models) {
  return std::any_of(models.begin(), models.end(), [&](const ComparedModel& model) {
    const tree::MetricResult* const found = find_metric(model, entry.metric.name);
    if (found == nullptr) return false;
    return !entry.plugin.empty() || !tree::is_only_measured(entry) ||
           found->value.value.has_value();
  });
}

/// Also with the scores that only models know, such as functions of the user's own.
std::vector<tree::MetricEntry> with_other_scores(std::vector<tree::MetricEntry> entries,
                                                 const std::vector<ComparedModel>& models) {
  for (const ComparedModel& model : models) {
    for (const tree::MetricResult& result : model.metrics) {
      const std::string_view name = result.entry.metric.name;
      const bool is_there =
          std::any_of(entries.begin(), entries.end(),
                      [&](const tree::MetricEntry& entry) { return entry.metric.name == name; });
      if (result.entry.metric.of_score && !is_there) entries.push_back(result.entry);
    }
  }
  return entries;
}

}  // namespace

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

void align_metrics(const std::vector<tree::MetricEntry>& catalogue, ComparedModels& models) {
  std::vector<std::vector<tree::MetricResult>> aligned(models.models.size());
  for (const tree::MetricEntry& entry : with_other_scores(catalogue, models.models)) {
    if (!is_shown(entry, models.models)) continue;
    for (std::size_t i = 0; i < aligned.size(); ++i) {
      const tree::MetricResult* const found = find_metric(models.models[i], entry.metric.name);
      aligned[i].push_back(found != nullptr ? *found : tree::MetricResult{entry, {}, {}});
    }
  }
  for (std::size_t i = 0; i < aligned.size(); ++i) models.models[i].metrics = std::move(aligned[i]);
}

std::vector<const ComparedModel*> models_with_types(const ComparedModels& models) {
  std::vector<const ComparedModel*> known;
  for (const ComparedModel& model : models.models)
    if (model.knows_types) known.push_back(&model);
  return known;
}

TypeDifferences differences_in_types(const std::vector<const ComparedModel*>& models) {
  std::vector<std::map<std::string, TypeUse>> types;
  types.reserve(models.size());
  for (const ComparedModel* const model : models) types.push_back(model->types);
  return type_differences(types);
}

}  // namespace jouletree::report
