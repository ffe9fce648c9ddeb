#pragma once

#include "jouletree/meter.hpp"
#include "jouletree/session.hpp"

namespace jouletree::measure {

/// How often to read these meters while something is measured. An estimate follows from counters
/// that move slowly, and reading them costs CPU time.
[[nodiscard]] SessionOptions gentle_sampling(const Probe& probe);

}  // namespace jouletree::measure
