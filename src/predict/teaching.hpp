#pragma once

#include <vector>

#include "jouletree/predict.hpp"

namespace jouletree::predict {

/// Throws Error(BadInput) with the reason where the runs teach nothing about operators, or nothing
/// that the asked features can be learned from.
void check_that_runs_teach(const std::vector<TreeRun>& runs, FeatureSet features);

}  // namespace jouletree::predict
