#pragma once

#include <string>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// Why the times of a profile cannot be trusted: others used the machine, it was not steady, runs
/// in a row and single runs contradict each other, more threads than CPUs. Sentences without their
/// full stop, which belong where nobody overlooks them. Empty for a good profile.
[[nodiscard]] std::vector<std::string> warnings_of(const Profile& profile);

}  // namespace jouletree::measure
