#pragma once

#include <span>
#include <vector>

#include "engines/engine.hpp"
#include "measure/reuse_distance.hpp"

namespace jouletree::measure {

/// What every part of a program reads and writes in memory. Views do nothing, and what they show is
/// known by the names of the tensors behind them. The parts must outlive the steps.
[[nodiscard]] std::vector<Step> steps_of(std::span<const engines::Part> program);

}  // namespace jouletree::measure
