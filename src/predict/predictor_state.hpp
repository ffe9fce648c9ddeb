#pragma once

#include "predict/ensemble.hpp"
#include "predict/module_words.hpp"
#include "predict/trained_ranges.hpp"

namespace jouletree {

struct Predictor::State {
  PredictorInfo info;
  std::optional<predict::Ensemble> energy;
  std::optional<predict::Ensemble> time;
  predict::TrainedRanges ranges;

  [[nodiscard]] const std::optional<predict::Ensemble>& of(predict::Target target) const {
    return target == predict::Target::Energy ? energy : time;
  }
};

namespace predict {

/// The feature sets that a predictor trained for `features` can work from.
[[nodiscard]] std::span<const FeatureSet> feature_sets_within(FeatureSet features);
/// Some node has a measured value of the target.
[[nodiscard]] bool knows(const std::vector<TreeRun>& runs, Target target);
/// It learned from whole trees of PyTorch modules, whose operators are leaf modules.
[[nodiscard]] bool tells_of_modules(const PredictorInfo& info);
/// A run with foreign operators in the words of the training data; nothing where features look at
/// what was measured.
[[nodiscard]] std::optional<ToldRun> told_run(const Predictor::State& state, const TreeRun& run,
                                              FeatureSet features);
/// Throws Error(BadInput) for what is no share of the true values.
void check_level(double level);
[[nodiscard]] PredictorInfo describe(const std::vector<TreeRun>& runs, const TrainOptions& options);

}  // namespace predict
}  // namespace jouletree
