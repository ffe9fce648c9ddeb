#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

// Losses between class scores (batch, classes, ...) and labels (batch, ...).

void likelihood_loss(Call& call);
[[nodiscard]] OperatorWork likelihood_loss_work(const Call& call);
/// Also gives the logarithms of the probabilities where the second output is used.
void cross_entropy_loss(Call& call);
[[nodiscard]] OperatorWork cross_entropy_loss_work(const Call& call);

/// Weights of the classes are chosen, not trained.
inline constexpr ConstantRoles kClassWeights{.settings = slots(2)};

}  // namespace jouletree::model
