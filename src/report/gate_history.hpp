#pragma once

#include "report/gate.hpp"
#include "store/database/model_history.hpp"

namespace jouletree::report {

/// Lasting changes of time and energy in a history, as change_points() finds them.
[[nodiscard]] GateHistory gate_history(const store::ModelHistory& history);

}  // namespace jouletree::report
