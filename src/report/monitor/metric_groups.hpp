#pragma once

#include "base/footprint.hpp"
#include "report/monitor/family_list.hpp"
#include "report/monitor/machine_watch.hpp"

namespace jouletree::report {

// One file per group of metrics.
void add_energy_metrics(const WatchedMachine& machine, FamilyList& families);
void add_machine_total_metrics(const WatchedMachine& machine, const FootprintFactors& factors,
                               FamilyList& families);
void add_use_metrics(const WatchedMachine& machine, FamilyList& families);
void add_own_cost_metrics(const WatchedMachine& machine, FamilyList& families);

}  // namespace jouletree::report
