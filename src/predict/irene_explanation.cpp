#include "predict/irene.hpp"
#include "predict/operator_load.hpp"

namespace jouletree::predict {
namespace {

Explanation line_of(const std::string& of, std::string term, double coefficient, std::string unit) {
  Explanation line;
  line.of = of;
  line.term = std::move(term);
  line.coefficient = coefficient;
  line.unit = std::move(unit);
  return line;
}

}  // namespace

/// Coefficients are per standard deviation of a feature: what tells much is large.
std::vector<Explanation> Irene::terms() const {
  const std::vector<std::string> names = irene_feature_names(model_.config);
  std::vector<Explanation> result;
  for (const auto& [type, regression] : model_.operators) {
    result.push_back(line_of(type, "mean of the training data", regression.intercept, "J"));
    for (std::size_t i = 0; i < names.size(); ++i) {
      result.push_back(line_of(type, names[i],
                               regression.coefficients(static_cast<Eigen::Index>(i)),
                               "J per standard deviation"));
    }
  }
  return result;
}

std::vector<Explanation> Irene::parts(const TreeRun& run, std::size_t node,
                                      FeatureSet features) const {
  const RunNode& found = run.nodes[node];
  std::vector<Explanation> result;
  if (!found.children.empty()) {
    const std::vector<double> energies = predict(run, features);
    for (const std::size_t child : found.children) {
      const auto inputs = model_.inputs(irene_features(model_.config, run, run.nodes[child]));
      const double weight = model_.weighting(model_.weights.dot(inputs) + model_.bias);
      Explanation line = line_of(found.id, run.nodes[child].scope, weight, "1");
      line.amount = energies[child];
      line.cost = weight * energies[child];
      result.push_back(std::move(line));
    }
    return result;
  }
  const auto regression = model_.operators.find(type_key(found.type));
  if (regression == model_.operators.end()) return result;
  const std::vector<std::string> names = irene_feature_names(model_.config);
  const std::vector<double> values = irene_features(model_.config, run, found);
  const Eigen::VectorXd standard = regression->second.standardizer.apply(
      Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
  Explanation mean =
      line_of(found.id, "mean of the training data", regression->second.intercept, "J");
  mean.amount = 1;
  mean.cost = regression->second.intercept;
  result.push_back(std::move(mean));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto place = static_cast<Eigen::Index>(i);
    Explanation line = line_of(found.id, names[i], regression->second.coefficients(place),
                               "J per standard deviation");
    line.amount = standard(place);
    line.cost = line.coefficient * line.amount;
    result.push_back(std::move(line));
  }
  return result;
}

}  // namespace jouletree::predict
