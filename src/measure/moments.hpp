#pragma once

#include <vector>

#include "measure/trials.hpp"

namespace jouletree::measure {

/// What windows of one workload say that were run at several moments. Windows right after each
/// other find the machine alike, so that many of them say little more than one: moments count, each
/// once, with the median of its windows. Of fewer than four moments the windows count, and the
/// interval of the median holds all moments. Of at least one window, sorted by time.
[[nodiscard]] Summary summary_over_moments(const Trials& trials);

/// The median of each moment, by time. Of windows sorted by time.
[[nodiscard]] std::vector<double> medians_of_moments(const Trials& trials);

}  // namespace jouletree::measure
