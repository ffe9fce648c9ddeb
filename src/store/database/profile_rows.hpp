#pragma once

#include "jouletree/profile.hpp"
#include "store/database/database.hpp"

namespace jouletree::store {

/// Keeps a profile that was just measured: its model with the operators that it runs, the whole
/// with its latencies, its tree, its score. Operators and modules that were measured for it are
/// kept while it is made (DatabaseParts). All or nothing; the same profile twice is there once.
void add_profile(Database& database, const ModelProfile& profile);
/// The same inside a transaction of the caller's. Returns the key of its source.
Id add_profile_rows(Database& database, const ModelProfile& profile);

}  // namespace jouletree::store
