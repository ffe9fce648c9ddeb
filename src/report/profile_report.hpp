#pragma once

#include <iosfwd>

#include "measure/profile.hpp"

namespace jouletree {

/// Summary, tree, top operators and ledger.
void print_profile_table(const Profile& profile, int depth, std::ostream& out);

}  // namespace jouletree
