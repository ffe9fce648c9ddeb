// What each meter has counted.
#include <algorithm>

#include "report/monitor/metric_groups.hpp"

namespace jouletree::report {
namespace {

MetricLabels labels_of(const MeterInfo& meter) {
  return {{"meter", meter.name},
          {"level", std::string(name_of(meter.level))},
          {"device", meter.device},
          provenance_label(meter.provenance)};
}

/// What does not belong into the labels of every sample.
MetricLabels details_of(const measure::WatchedMachine& machine, std::size_t index) {
  const MeterInfo& meter = machine.meters[index];
  const auto& summed = machine.summed.meters;
  const bool is_summed = std::find(summed.begin(), summed.end(), index) != summed.end();
  return {
      {"meter", meter.name},  {"source", meter.source}, {"kind", std::string(name_of(meter.kind))},
      {"model", meter.model}, {"method", meter.method}, {"summed", is_summed ? "true" : "false"}};
}

}  // namespace

void add_energy_metrics(const measure::WatchedMachine& machine, FamilyList& families) {
  const auto for_each = [&](auto add) {
    for (std::size_t i = 0; i < machine.meters.size(); ++i)
      add(labels_of(machine.meters[i]), machine.totals[i]);
  };
  families.counter("jouletree_energy_joules_total",
                   "Energy of one part of the machine since the monitor started, gaps left out. "
                   "Parts contain each other: do not sum over levels.");
  for_each([&](MetricLabels labels, const RunningTotal& total) {
    if (total.at) families.add(std::move(labels), total.total.value());
  });
  families.gauge("jouletree_power_watts",
                 "Power of one part of the machine, mean of the last tenth of a second or of as "
                 "long as the meter takes.");
  for_each([&](MetricLabels labels, const RunningTotal& total) {
    if (total.power && !total.lost) families.add(std::move(labels), total.power->value);
  });
  families.gauge("jouletree_meter_up", "Whether the meter can be read at present.");
  for_each([&](MetricLabels labels, const RunningTotal& total) {
    families.add(std::move(labels), total.at && !total.lost ? 1 : 0);
  });
  families.counter("jouletree_meter_gap_seconds_total",
                   "Time for which the meter's energy is unknown; nothing was counted for it.");
  for_each([&](MetricLabels labels, const RunningTotal& total) {
    families.add(std::move(labels), Seconds(total.gaps).count());
  });
  families.gauge("jouletree_meter_info", "What the meter is; always 1.");
  for (std::size_t i = 0; i < machine.meters.size(); ++i) families.add(details_of(machine, i), 1);
}

}  // namespace jouletree::report
