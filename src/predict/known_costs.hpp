#pragma once

#include <optional>
#include <vector>

#include "jouletree/figure.hpp"
#include "jouletree/predict.hpp"

namespace jouletree::predict {

/// What an operator took when it was measured, wherever that was.
struct KnownCost {
  Figure time_s;
  Figure energy_j;
  Provenance energy_provenance = Provenance::Measured;
};

/// Puts what was measured of operators, by node, in the place of their predictions. What holds them
/// moves by the difference, and its interval narrows with the share that is measured: what remains
/// of it is the predicted share, and how far sums of measured operators are from whole models.
void use_known_costs(const TreeRun& run, const std::vector<std::optional<KnownCost>>& known,
                     std::vector<NodePrediction>& predictions);

}  // namespace jouletree::predict
