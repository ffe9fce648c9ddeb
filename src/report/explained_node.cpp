#include "report/explained_node.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/name_distance.hpp"
#include "jouletree/error.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

struct FoundNode {
  const TreeRun* run = nullptr;
  std::size_t index = 0;
};

constexpr std::string_view kRoot = "root.";
constexpr std::size_t kMostNear = 3;

/// As other views show it: without the root.
std::string_view shown_scope(const RunNode& node) {
  const std::string_view scope = node.scope;
  return scope.starts_with(kRoot) ? scope.substr(kRoot.size()) : scope;
}

/// The scopes that are most like the name, for a message.
std::vector<std::string> near_scopes(const std::vector<TreeRun>& runs, const std::string& name) {
  std::vector<std::string> scopes;
  for (const RunNode& node : runs.front().nodes) scopes.emplace_back(shown_scope(node));
  std::stable_sort(scopes.begin(), scopes.end(), [&](const auto& a, const auto& b) {
    return name_distance(name, a) < name_distance(name, b);
  });
  scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
  if (scopes.size() > kMostNear) scopes.resize(kMostNear);
  return scopes;
}

FoundNode find_node(const std::vector<TreeRun>& runs, const std::string& name) {
  const auto is_meant = [&](const TreeRun& run, const RunNode& node) {
    const bool is_root = node.parent == kNoParent && run.model == name;
    return node.id == name || node.scope == name || shown_scope(node) == name || is_root;
  };
  for (const TreeRun& run : runs) {
    for (std::size_t i = 0; i < run.nodes.size(); ++i)
      if (is_meant(run, run.nodes[i])) return {&run, i};
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("there is no node '{}'; nearest: {}; give a scope as 'jouletree inspect "
                          "--format json' shows them, or the id of a tree file",
                          name, fmt::join(near_scopes(runs, name), ", ")));
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
