#include <algorithm>
#include <cmath>

#include "jouletree/error.hpp"
#include "predict/predictor_state.hpp"

namespace jouletree {
namespace predict {

std::span<const FeatureSet> feature_sets_within(FeatureSet features) {
  static constexpr std::array<FeatureSet, kFeatureSets> kAll = {FeatureSet::All, FeatureSet::Leaves,
                                                                FeatureSet::Specs};
  return std::span(kAll).subspan(static_cast<std::size_t>(features));
}

bool knows(const std::vector<TreeRun>& runs, Target target) {
  for (const TreeRun& run : runs) {
    for (const RunNode& node : run.nodes)
      if (truth(node, target)) return true;
  }
  return false;
}

PredictorInfo describe(const std::vector<TreeRun>& runs, const TrainOptions& options) {
  PredictorInfo info{options.method,
                     options.features,
                     options.level,
                     options.config,
                     {},
                     {},
                     runs.size(),
                     0,
                     Provenance::Measured,
                     false};
  const auto remember = [](std::vector<std::string>& names, const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  for (const TreeRun& run : runs) {
    remember(info.models, run.model);
    remember(info.devices, run.device);
    info.nodes += run.nodes.size();
    const bool is_estimated = std::any_of(run.nodes.begin(), run.nodes.end(),
                                          [](const RunNode& node) { return node.is_estimated; });
    info.fused = info.fused || std::any_of(run.nodes.begin(), run.nodes.end(),
                                           [](const RunNode& node) { return node.is_engine_made; });
    if (is_estimated) info.energy = Provenance::Estimated;
  }
  return info;
}

namespace {

std::optional<Ensemble> train_target(const std::vector<TreeRun>& runs, Target target,
                                     const TrainOptions& options) {
  if (!knows(runs, target)) return std::nullopt;
  const auto trainer = make_trainer(runs, target, options);
  if (!trainer) return std::nullopt;
  return train_ensemble(*trainer, runs, RunMask(runs.size(), 1), target,
                        feature_sets_within(options.features), options.level);
}

void fill(const std::optional<Ensemble>& ensemble, const TreeRun& run, FeatureSet features,
          std::optional<double> NodePrediction::*value, std::optional<Range> NodePrediction::*range,
          std::vector<NodePrediction>& result) {
  if (!ensemble) return;
  const std::vector<BoundedValue> predicted = ensemble->predict(run, features);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (std::isnan(predicted[i].value)) continue;
    result[i].*value = predicted[i].value;
    result[i].*range = predicted[i].range;
  }
}

}  // namespace
}  // namespace predict

std::optional<double> NodePrediction::power_w() const {
  if (!energy_j || !time_s || *time_s <= 0) return std::nullopt;
  return *energy_j / *time_s;
}

Predictor Predictor::train(const std::vector<TreeRun>& runs, const TrainOptions& options) {
  auto state = std::make_shared<State>();
  state->info = predict::describe(runs, options);
  state->ranges = predict::TrainedRanges(runs);
  state->energy = predict::train_target(runs, predict::Target::Energy, options);
  state->time = predict::train_target(runs, predict::Target::Time, options);
  if (!state->energy && !state->time) {
    throw Error(ErrorKind::BadInput,
                "the data hold no ground_truth_energy and no times_mean to learn from");
  }
  return Predictor(std::move(state));
}

const PredictorInfo& Predictor::info() const { return state_->info; }

FeatureSet Predictor::usable_features(const TreeRun& run) const {
  FeatureSet usable = state_->info.features;
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const RunNode& node = run.nodes[i];
    if (node.time_s) continue;
    if (node.level == NodeLevel::Operator) return FeatureSet::Specs;
    if (i > 0) usable = std::max(usable, FeatureSet::Leaves);
  }
  return usable;
}

std::vector<NodePrediction> Predictor::predict(const TreeRun& run, FeatureSet features) const {
  if (features < state_->info.features) {
    throw Error(ErrorKind::BadInput, std::string("the predictor was trained with --features ") +
                                         std::string(name_of(state_->info.features)) +
                                         "; it cannot use more than that");
  }
  std::vector<NodePrediction> result(run.nodes.size());
  predict::fill(state_->energy, run, features, &NodePrediction::energy_j,
                &NodePrediction::energy_range, result);
  predict::fill(state_->time, run, features, &NodePrediction::time_s, &NodePrediction::time_range,
                result);
  // What was measured stands for the work of an operator, however large.
  const bool sizes =
      state_->info.method != PredictionMethod::Ledger || features == FeatureSet::Specs;
  const std::vector<char> beyond = state_->ranges.beyond(run, sizes);
  for (std::size_t i = 0; i < result.size(); ++i) result[i].beyond_training = beyond[i] != 0;
  return result;
}

}  // namespace jouletree
