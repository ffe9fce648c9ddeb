#pragma once

#include <string>
#include <vector>

#include "jouletree/meter.hpp"
#include "measure/command_run.hpp"

namespace jouletree::store {

/// One line of power_metrics.json, with its line feed. `metrics` has the keys and units of
/// AIPowerMeter: watts, bytes, shares of 1; what is not known is left out, and what is estimated
/// never stands under the name of a sensor. `run` and `energy` beside it are our own.
[[nodiscard]] std::string power_line(int run, const measure::RunSample& sample);

}  // namespace jouletree::store
