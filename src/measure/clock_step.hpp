#pragma once

#include <string>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// Forgets times in place that the engine's clock is too coarse for: a kernel that takes no longer
/// than a step of it may take anything up to that. One that does not matter beside the others keeps
/// its time, unless that is 0. `totals` are what the operators take in one run of the model.
/// Returns what to say about it; empty where all times are good.
[[nodiscard]] std::string forget_unresolved(double step_s, const std::vector<double>& totals,
                                            std::vector<UniqueOperator>& operators);

}  // namespace jouletree::measure
