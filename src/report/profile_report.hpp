#pragma once

#include <iosfwd>
#include <optional>

#include "base/footprint.hpp"
#include "report/footprint_report.hpp"
#include "store/profile_view.hpp"

namespace jouletree::report {

/// Summary, tree, top operators, types of operators and ledger.
/// `depth`: levels of the tree to show; else as many as are readable.
void print_profile_table(const store::ProfileView& view, std::optional<int> depth,
                         const FootprintFactors& factors, std::ostream& out);

/// What grams and money of one inference follow from.
[[nodiscard]] FootprintEnergy footprint_energy(const store::ProfileView& view);

}  // namespace jouletree::report
