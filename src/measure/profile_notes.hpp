#pragma once

#include <string>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// What a reader should know before trusting the numbers: warnings_of() it, assumptions of the
/// counting, clocks that
/// changed, precision that was not reached. Sentences without their full stop.
[[nodiscard]] std::vector<std::string> notes_of(const Profile& profile);

/// Operators and modules without a measurement, each with the reason.
[[nodiscard]] std::vector<std::string> failures_of(const Profile& profile);

}  // namespace jouletree::measure
