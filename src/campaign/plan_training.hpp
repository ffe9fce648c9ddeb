#pragma once

#include "campaign/plan.hpp"
#include "campaign/plan_fields.hpp"

namespace jouletree::campaign {

/// The value of `training`. Throws Error(BadInput) naming file, line and key.
[[nodiscard]] PlannedTraining training_of(const Field& field);

}  // namespace jouletree::campaign
