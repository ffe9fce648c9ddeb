#include "predict/irene.hpp"

#include <cmath>
#include <limits>

#include "predict/operator_load.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

Eigen::Map<const VectorXd> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Index>(values.size())};
}

}  // namespace

Standardizer Standardizer::fit(const Eigen::MatrixXd& samples, const VectorXd& weights) {
  Standardizer result;
  const double total = weights.sum();
  result.mean = samples.transpose() * weights / total;
  const Eigen::MatrixXd centred = samples.rowwise() - result.mean.transpose();
  result.scale = (centred.cwiseAbs2().transpose() * weights / total).cwiseSqrt();
  for (Index i = 0; i < result.scale.size(); ++i) {
    // Rounding leaves a trace of a deviation where all samples are the same.
    const bool is_constant = result.scale(i) <= 1e-12 * (1 + std::abs(result.mean(i)));
    if (is_constant) result.scale(i) = 1;
  }
  return result;
}

VectorXd Standardizer::apply(const VectorXd& features) const {
  return (features - mean).cwiseQuotient(scale);
}

VectorXd cubic_terms(const VectorXd& features) {
  const Index n = features.size();
  VectorXd terms(1 + n + n * (n + 1) / 2 + n * (n + 1) * (n + 2) / 6);
  Index place = 0;
  terms(place++) = 1;
  for (Index i = 0; i < n; ++i) terms(place++) = features(i);
  for (Index i = 0; i < n; ++i)
    for (Index j = i; j < n; ++j) terms(place++) = features(i) * features(j);
  for (Index i = 0; i < n; ++i) {
    for (Index j = i; j < n; ++j)
      for (Index k = j; k < n; ++k) terms(place++) = features(i) * features(j) * features(k);
  }
  return terms;
}

VectorXd IreneModel::inputs(const std::vector<double>& features) const {
  const VectorXd values =
      standardizer ? standardizer->apply(as_vector(features)) : VectorXd(as_vector(features));
  return config.polynomial_features ? cubic_terms(values) : values;
}

double IreneModel::weighting(double linear) const {
  switch (config.weighting) {
    case IreneWeighting::ExactOne: return 1;
    case IreneWeighting::CloseToOne: return 1 + std::tanh(linear) / config.tanh_scalar;
    case IreneWeighting::Free: return linear;
  }
  return 1;
}

double IreneModel::weighting_slope(double linear) const {
  switch (config.weighting) {
    case IreneWeighting::ExactOne: return 0;
    case IreneWeighting::CloseToOne: {
      const double bent = std::tanh(linear);
      return (1 - bent * bent) / config.tanh_scalar;
    }
    case IreneWeighting::Free: return 1;
  }
  return 0;
}

double IreneModel::operator_energy(const RunNode& node, const std::vector<double>& features) const {
  const auto found = operators.find(type_key(node.type));
  if (found == operators.end()) return std::numeric_limits<double>::quiet_NaN();
  const OperatorRegression& regression = found->second;
  return regression.intercept +
         regression.coefficients.dot(regression.standardizer.apply(as_vector(features)));
}

std::vector<double> Irene::predict(const LoadedRun& loaded, FeatureSet /*features*/) const {
  const TreeRun& run = loaded.run;
  std::vector<double> energies(run.nodes.size(), 0);
  for (std::size_t i = run.nodes.size(); i-- > 0;) {
    const RunNode& node = run.nodes[i];
    const std::vector<double> features = irene_features(model_.config, run, node);
    if (node.children.empty()) {
      energies[i] = model_.operator_energy(node, features);
      if (node.parent == kNoParent) continue;
    }
    const double linear = model_.weights.dot(model_.inputs(features)) + model_.bias;
    const double weight = model_.weighting(linear);
    if (model_.config.strategy == IreneStrategy::Unstructured && !node.children.empty()) {
      energies[i] = weight;
    } else if (node.parent != kNoParent && model_.config.strategy != IreneStrategy::Unstructured) {
      energies[node.parent] += weight * energies[i];
    }
  }
  return energies;
}

}  // namespace jouletree::predict
