#include "report/monitor/machine_metrics.hpp"

#include "report/monitor/metric_groups.hpp"

namespace jouletree::report {

std::vector<MetricFamily> machine_metrics(const measure::WatchedMachine& machine,
                                          const FootprintFactors& factors,
                                          const std::string& version) {
  FamilyList families;
  add_energy_metrics(machine, families);
  add_machine_total_metrics(machine, factors, families);
  add_use_metrics(machine, families);
  add_own_cost_metrics(machine, families);
  families.gauge("jouletree_build_info", "Version of the monitor; always 1.");
  families.add({{"version", version}}, 1);
  return families.take();
}

}  // namespace jouletree::report
