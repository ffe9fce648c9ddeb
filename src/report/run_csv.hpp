#pragma once

#include <iosfwd>
#include <vector>

#include "store/recording.hpp"
#include "store/stored_run_json.hpp"

namespace jouletree::report {

/// One row per run: the figures of summary.json, the energy of each domain, and what is derived
/// from the energy.
void print_runs_csv(const std::vector<store::Recording>& recordings,
                    const store::DeriveMetrics& derive, std::ostream& out);

/// One row per recorded line: time, power, energy and what they lack, use, and the power of each
/// domain. Energy that a
/// line does not tell is the mean power of this line and the one before, over the time between
/// them.
void print_lines_csv(const std::vector<store::Recording>& recordings, std::ostream& out);

}  // namespace jouletree::report
