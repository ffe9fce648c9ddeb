#pragma once

#include "measure/profile.hpp"

namespace jouletree::measure {

/// Adds up the operators of a profile and holds them against its whole.
[[nodiscard]] Ledger ledger_of(const Profile& profile);

}  // namespace jouletree::measure
