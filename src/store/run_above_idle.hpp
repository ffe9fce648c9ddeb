#pragma once

#include <string>

#include "store/stored_run.hpp"

namespace jouletree::store {

/// Energy above idle; nothing where it cannot be told from none.
[[nodiscard]] Figure known_above_idle(const Figure& above_idle_j, const Figure& gross_j);

/// Why the energy of a run above idle is not known although idle power was measured. Empty where it
/// is known, or a part of the total is missing, which says so itself.
[[nodiscard]] std::string why_not_above_idle(const StoredRun& run);

}  // namespace jouletree::store
