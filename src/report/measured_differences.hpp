#pragma once

#include <vector>

#include "report/compared_profile.hpp"
#include "report/differences.hpp"

namespace jouletree::report {

/// In what each further profile differs from the first one: the whole, every module by its scope
/// and every type of operator, in time and energy, each with a test of the raw trials. p-values are
/// corrected for all rows of a level (Holm).
[[nodiscard]] std::vector<Differences> measured_differences(
    const std::vector<ComparedProfile>& profiles);
[[nodiscard]] Differences difference_between(const ComparedProfile& first,
                                             const ComparedProfile& second);

/// Why times and energies of a profile say nothing about the model; empty where they do: other
/// processes left it no CPU to run on.
[[nodiscard]] std::string doubt_about(const store::ProfileView& view);

}  // namespace jouletree::report
