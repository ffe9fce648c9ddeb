#include "report/compared_files.hpp"

#include <memory>

#include "jouletree/error.hpp"
#include "report/compared_profile.hpp"
#include "report/measured_differences.hpp"
#include "report/model_labels.hpp"
#include "store/measured_data.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::report {

namespace {

/// A file, a folder, a name of the zoo, or a model of a database.
struct GivenModel {
  std::string given;
  std::optional<store::KeptModel> kept{};
};

std::vector<GivenModel> with_models_of_databases(const std::vector<std::string>& given) {
  std::vector<GivenModel> all;
  for (const std::string& one : given) {
    auto kept = store::kept_models_of(one);
    if (!kept) {
      all.push_back({one});
      continue;
    }
    for (store::KeptModel& model : *kept) all.push_back({one, std::move(model)});
  }
  return all;
}

std::vector<std::string> labels_of_given(const std::vector<GivenModel>& given) {
  std::vector<ModelNames> names;
  for (const auto& [text, kept] : given) {
    names.push_back(kept ? ModelNames{kept->label, kept->longer_label, kept->place}
                         : names_of_model(text));
  }
  return distinct_labels(names);
}

}  // namespace

ComparedModels compare_files(const std::vector<std::string>& texts, const InputSettings& settings,
                             tree::NotedMetrics& metrics) {
  const std::vector<GivenModel> given = with_models_of_databases(texts);
  if (given.size() < 2)
    throw Error(ErrorKind::BadInput, "compare needs at least two models or profiles");
  const std::vector<std::string> labels = labels_of_given(given);
  ComparedModels compared;
  std::vector<ComparedProfile> profiles;
  std::vector<InputSettings> used;
  std::vector<std::shared_ptr<const Graph>> graphs;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [text, kept] = given[i];
    if (kept || store::is_folder(text)) {
      profiles.push_back(kept ? compared_profile(*kept, labels[i])
                              : compared_profile(std::filesystem::path(text), labels[i]));
      profiles.back().model.metrics =
          metrics.of(store::measured_model(profiles.back().view), labels[i]);
      compared.models.push_back(profiles.back().model);
      continue;
    }
    graphs.push_back(zoo::read_or_make(text, settings));
    used.push_back(applicable_settings(*graphs.back(), settings));
    const ModelTree tree = build_tree(graphs.back(), used.back());
    compared.models.push_back(compared_model(tree, labels[i], metrics.of(tree, labels[i])));
  }
  std::vector<const Graph*> counted;
  counted.reserve(graphs.size());
  for (const auto& graph : graphs) counted.push_back(graph.get());
  refuse_unused(settings, used, counted);
  align_metrics(metrics.entries(), compared);
  compared.notes = differences_of(profiles);
  compared.differences = measured_differences(profiles);
  return compared;
}

}  // namespace jouletree::report
