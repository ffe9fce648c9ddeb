#pragma once

#include "predict/ensemble.hpp"

namespace jouletree::predict {

/// What a predictor learned from decides how far it is off for operators of another engine.
enum class LearnedFrom {
  Modules,    ///< Whole models of PyTorch modules, in whose words the model is told.
  Models,     ///< Whole models and their operators.
  Operators,  ///< Operators alone, so that nothing is known of what a whole adds.
};

/// How far predictions are off where the operators of a model are named otherwise than those of
/// the training data, in log space, so that a share `level` of the true values lies within.
[[nodiscard]] HalfWidths foreign_half_widths(Target target, LearnedFrom learned_from, double level);

/// The same for operators of a family that the training data lack, and for sums of such operators:
/// what a module or a model holds of them.
[[nodiscard]] HalfWidths unseen_half_widths(Target target, double level);

}  // namespace jouletree::predict
