#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jouletree/predict.hpp"

namespace jouletree::predict {

enum class IreneStrategy { End2End, Stepwise, Unstructured, None };
enum class IreneWeighting { ExactOne, CloseToOne, Free };

/// The keys of IrEne's configuration files, and how long it trains.
struct IreneConfig {
  bool model_specs = true;
  bool resource_utilization = true;
  bool polynomial_features = true;
  bool standardize_features = true;
  bool normalize_loss_scale = true;
  double tanh_scalar = 10;
  IreneStrategy strategy = IreneStrategy::End2End;
  IreneWeighting weighting = IreneWeighting::CloseToOne;
  int epochs = 8;
  double learning_rate = 1e-3;
  std::uint64_t seed = 13370;
};

/// Throws Error(BadInput) naming a key or value that is not known.
[[nodiscard]] IreneConfig read_irene_config(const std::string& json, FeatureSet features);

/// Names of the features in the order in which irene_features gives them.
[[nodiscard]] std::vector<std::string> irene_feature_names(const IreneConfig& config);
/// Throws Error(BadInput) naming a feature that the node lacks.
[[nodiscard]] std::vector<double> irene_features(const IreneConfig& config, const TreeRun& run,
                                                 const RunNode& node);

}  // namespace jouletree::predict
