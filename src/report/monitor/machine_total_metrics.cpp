// The machine as a whole: the sum over one level, and what follows from it.
#include "report/monitor/metric_groups.hpp"

namespace jouletree::report {
namespace {

struct MachineTotal {
  std::optional<Joules> energy;  ///< Nothing before a meter was read.
  std::optional<Watts> power;    ///< Nothing if it is unknown of one of them.
  Provenance provenance = Provenance::Measured;
};

MachineTotal total_of(const measure::WatchedMachine& machine) {
  MachineTotal sum;
  bool power_known = true;
  Watts power;
  for (const std::size_t index : machine.summed.meters) {
    const RunningTotal& total = machine.totals[index];
    if (machine.meters[index].provenance == Provenance::Estimated)
      sum.provenance = Provenance::Estimated;
    if (total.at) sum.energy = sum.energy.value_or(Joules{}) + total.total;
    power_known = power_known && total.power && !total.lost;
    if (power_known) power = power + *total.power;
  }
  if (power_known && !machine.summed.meters.empty()) sum.power = power;
  return sum;
}

MetricLabel derived_label() { return {"provenance", std::string(kDerived)}; }

MetricLabels carbon_labels(const MachineTotal& total, const CarbonFactor& carbon) {
  return {derived_label(),
          {"energy_provenance", std::string(name_of(total.provenance))},
          {"region", carbon.region},
          {"source", carbon.source},
          {"year", carbon.year ? std::to_string(*carbon.year) : ""}};
}

}  // namespace

void add_machine_total_metrics(const measure::WatchedMachine& machine,
                               const FootprintFactors& factors, FamilyList& families) {
  const MachineTotal total = total_of(machine);
  families.counter("jouletree_machine_energy_joules_total",
                   "Energy of the machine since the monitor started: the sum of the meters that "
                   "jouletree_meter_info marks as summed, gaps left out.");
  if (total.energy) families.add({provenance_label(total.provenance)}, total.energy->value());
  families.gauge("jouletree_machine_power_watts",
                 "Power of the machine: the sum over the same meters.");
  if (total.power) families.add({provenance_label(total.provenance)}, total.power->value);
  if (!total.energy) return;
  families.counter("jouletree_machine_co2e_grams_total",
                   "CO2e of the machine's energy by --carbon or --region, and --pue.");
  if (factors.carbon) {
    families.add(carbon_labels(total, *factors.carbon),
                 co2e_grams(*total.energy, *factors.carbon, factors.pue));
  }
  families.counter("jouletree_machine_cost_total",
                   "Cost of the machine's energy by --price and --pue.");
  if (factors.price) {
    families.add({derived_label(),
                  {"energy_provenance", std::string(name_of(total.provenance))},
                  {"currency", factors.price->currency}},
                 cost_of(*total.energy, *factors.price, factors.pue));
  }
}

}  // namespace jouletree::report
