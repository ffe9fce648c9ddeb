#include "report/compared_files.hpp"

#include <memory>

#include "jouletree/error.hpp"
#include "report/compared_profile.hpp"
#include "report/model_labels.hpp"
#include "store/measured_data.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::report {

ComparedModels compare_files(const std::vector<std::string>& given, const InputSettings& settings,
                             tree::NotedMetrics& metrics) {
  if (given.size() < 2)
    throw Error(ErrorKind::BadInput, "compare needs at least two models or profiles");
  const std::vector<std::string> labels = labels_of(given);
  ComparedModels compared;
  std::vector<ComparedProfile> profiles;
  std::vector<InputSettings> used;
  std::vector<std::shared_ptr<const Graph>> graphs;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (store::is_folder(given[i])) {
      profiles.push_back(compared_profile(given[i], labels[i]));
      profiles.back().model.metrics =
          metrics.of(store::measured_model(profiles.back().view), labels[i]);
      compared.models.push_back(profiles.back().model);
      continue;
    }
    graphs.push_back(zoo::read_or_make(given[i], settings));
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
  return compared;
}

}  // namespace jouletree::report
