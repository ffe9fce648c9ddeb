#pragma once

#include <vector>

#include "predict/fitted.hpp"

namespace jouletree::predict {

/// Of no operator the target was measured, but of the whole or of modules, and all operators are
/// there with their FLOPs and bytes.
[[nodiscard]] bool teaches_whole(const TreeRun& run, Target target);

/// Throws Error(BadInput) with the reason where the runs teach nothing about operators, or nothing
/// that the method and the asked features can be learned from.
void check_that_runs_teach(const std::vector<TreeRun>& runs, const TrainOptions& options);

}  // namespace jouletree::predict
