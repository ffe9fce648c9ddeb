#pragma once

#include <string>
#include <vector>

#include "store/recorded_power.hpp"

namespace jouletree::store {

/// What the total of one line lacks of what makes the total of its run, or should make it: parts
/// without power, entries that nobody understands, time that nobody recorded.
[[nodiscard]] std::vector<std::string> missing_in(const PowerRow& row, const PowerRow* before,
                                                  const StoredRun& run);

/// Fills in StoredTotal::missing of a run that is made of these lines, with a note for each reason.
/// Its domains and what is summed are known already.
void add_missing_parts(const std::vector<const PowerRow*>& rows, StoredRun& run);

/// The level of a domain of the run; empty if there is none of this name.
[[nodiscard]] std::string level_of_domain(const StoredRun& run, const std::string& domain);

}  // namespace jouletree::store
