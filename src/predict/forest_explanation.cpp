#include <array>
#include <cmath>

#include "predict/forest.hpp"

namespace jouletree::predict {
namespace {

constexpr std::array<std::string_view, 10> kOperatorFeatures = {"MFLOP",
                                                                "MiB",
                                                                "products",
                                                                "rows",
                                                                "columns",
                                                                "depth",
                                                                "rows of a vector operator",
                                                                "elements of a row",
                                                                "measured time",
                                                                "measured GPU energy"};

std::string feature_name(bool of_module, std::size_t index) {
  if (!of_module) return std::string(kOperatorFeatures[index]);
  constexpr std::array<std::string_view, 3> kFirst = {"cost of the children",
                                                      "share of operators in it", "is the model"};
  if (index < kFirst.size()) return std::string(kFirst[index]);
  return std::string(glue_terms()[index - kFirst.size() + kLaunch].name) + " per cost";
}

void add_importance(const std::string& of, const RegressionForest& forest, bool of_module,
                    std::vector<Explanation>& result) {
  const std::vector<double> shares = forest.importance();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == 0) continue;
    Explanation line;
    line.of = of;
    line.term = feature_name(of_module, i);
    line.coefficient = shares[i];
    line.unit = "share of the splits";
    result.push_back(std::move(line));
  }
}

/// Logarithms are summed up in a forest, so a feature changes the cost by a factor.
void add_path(const std::string& of, const RegressionForest& forest, bool of_module,
              const std::vector<double>& features, double scale, std::vector<Explanation>& result) {
  const ForestPath path = forest.path(features);
  double so_far = scale * std::exp(path.typical);
  Explanation line;
  line.of = of;
  line.term = of_module ? "the children, and what modules typically add" : "typical cost";
  line.unit = of_module ? "1" : "per call";
  line.coefficient = of_module ? std::exp(path.typical) : so_far;
  line.amount = of_module ? scale : 1;
  line.cost = so_far;
  result.push_back(line);
  for (std::size_t i = 0; i < path.by_feature.size(); ++i) {
    if (path.by_feature[i] == 0) continue;
    line.term = feature_name(of_module, i);
    line.coefficient = std::exp(path.by_feature[i]);
    line.unit = "factor";
    line.amount = features[i];
    line.cost = so_far * (line.coefficient - 1);
    so_far *= line.coefficient;
    result.push_back(line);
  }
}

}  // namespace

std::vector<Explanation> Forest::terms() const {
  std::vector<Explanation> result;
  for (const auto& [group, forest] : operators_) add_importance(group, forest, false, result);
  if (modules_) add_importance("modules", *modules_, true, result);
  return result;
}

std::vector<Explanation> Forest::parts(const TreeRun& run, std::size_t node,
                                       FeatureSet features) const {
  const RunNode& found = run.nodes[node];
  std::vector<Explanation> result;
  if (found.children.empty()) {
    const OperatorLoad work = load_of(run, found);
    const auto forest = operators_.find(work.group);
    if (work.known && forest != operators_.end()) {
      add_path(found.id, forest->second, false,
               operator_features(work, measured_, found.time_s, found.gpu_energy_j), 1, result);
    }
    return result;
  }
  const GlueValues glue = glue_values(run, found, predict(run, features));
  const double children = children_of(glue);
  if (modules_ && children > 0)
    add_path(found.id, *modules_, true, module_features(glue), children, result);
  return result;
}

}  // namespace jouletree::predict
