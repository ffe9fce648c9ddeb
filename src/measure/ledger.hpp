#pragma once

#include "measure/profile.hpp"

namespace jouletree::measure {

/// Adds up the operators of a profile and holds them against its whole.
[[nodiscard]] Ledger ledger_of(const Profile& profile);

/// Whether what calls the operators takes time that can be told from theirs: not where they take
/// longer one after the other than inside the model, which calls them in another way then.
[[nodiscard]] bool is_told_apart(const Caller& caller);

}  // namespace jouletree::measure
