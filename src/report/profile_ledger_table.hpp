#pragma once

#include <iosfwd>

#include "store/profile_view.hpp"

namespace jouletree::report {

/// Types of operators with their shares of time and energy.
void print_types(const store::ProfileView& view, std::ostream& out);
/// What the parts explain of the whole, what came of the target, failures and notes.
void print_ledger(const store::ProfileView& view, std::ostream& out);

}  // namespace jouletree::report
