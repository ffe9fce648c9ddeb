#pragma once

#include <iosfwd>

#include "store/sweep_json.hpp"

namespace jouletree::report {

/// Medians by size, the laws that they follow with their breaks, and what the energy goes with.
void print_sweep(const store::AnalysedStudy& study, std::ostream& out);

}  // namespace jouletree::report
