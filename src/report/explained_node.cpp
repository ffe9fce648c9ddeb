#include "report/explained_node.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

struct FoundNode {
  const TreeRun* run = nullptr;
  std::size_t index = 0;
};

FoundNode find_node(const std::vector<TreeRun>& runs, const std::string& name) {
  for (const TreeRun& run : runs) {
    for (std::size_t i = 0; i < run.nodes.size(); ++i)
      if (run.nodes[i].id == name || run.nodes[i].scope == name) return {&run, i};
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("there is no node '{}'; ids look like '{}', scopes like '{}'", name,
                          runs.front().nodes.back().id, runs.front().nodes.back().scope));
}

}  // namespace

ExplainedNode explain_node(const Predictor& predictor, const std::vector<TreeRun>& runs,
                           const std::string& name, std::optional<FeatureSet> most) {
  const FoundNode found = find_node(runs, name);
  const FeatureSet features =
      std::max(predictor.usable_features(*found.run), most.value_or(FeatureSet::All));
  ExplainedNode explained{predictor.explain(*found.run, found.index, features), {}};
  if (const auto foreign = predictor.foreign(*found.run))
    explained.warnings.push_back(foreign_note(*foreign));
  if (predictor.predict(*found.run, features)[found.index].beyond_training)
    explained.warnings.push_back(fmt::format("'{}' is beyond the training data", name));
  return explained;
}

}  // namespace jouletree::report
