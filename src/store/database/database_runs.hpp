#pragma once

#include <optional>
#include <vector>

#include "jouletree/tree_run.hpp"
#include "store/database/measured_place.hpp"
#include "store/measured_data.hpp"

namespace jouletree::store {

/// Runs and operators to learn from: what read_data() makes of the files that are in the database.
/// With a place, only those that were measured there. Throws Error(BadInput) where there is none.
[[nodiscard]] std::vector<TreeRun> database_runs(Database& database,
                                                 const std::optional<MeasuredPlace>& place,
                                                 const Warn& warn);

}  // namespace jouletree::store
