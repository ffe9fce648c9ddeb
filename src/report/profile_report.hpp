#pragma once

#include <iosfwd>

#include "measure/profile.hpp"

namespace jouletree {

/// Summary, tree, top operators and ledger.
void print_profile_table(const Profile& profile, int depth, std::ostream& out);
/// One object, metrics as everywhere.
void print_profile_json(const Profile& profile, std::ostream& out);

}  // namespace jouletree
