#pragma once

#include <vector>

#include "store/recorded_power.hpp"

namespace jouletree::store {

/// Marks lines that follow a hole: more than ten times the usual distance of the lines of their
/// run, and more than a few seconds, in which the recorder or its machine stood still. Lines of
/// JouleTree say themselves what time they are about.
void mark_holes(std::vector<PowerRow>& rows);

}  // namespace jouletree::store
