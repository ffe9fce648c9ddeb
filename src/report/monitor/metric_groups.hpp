#pragma once

#include "base/footprint.hpp"
#include "measure/machine_watch.hpp"
#include "report/monitor/family_list.hpp"

namespace jouletree::report {

// One file per group of metrics.
void add_energy_metrics(const measure::WatchedMachine& machine, FamilyList& families);
void add_machine_total_metrics(const measure::WatchedMachine& machine,
                               const FootprintFactors& factors, FamilyList& families);
void add_use_metrics(const measure::WatchedMachine& machine, FamilyList& families);
void add_own_cost_metrics(const measure::WatchedMachine& machine, FamilyList& families);

}  // namespace jouletree::report
