// What the monitor itself costs, and how punctual it is.
#include "report/monitor/metric_groups.hpp"

namespace jouletree::report {
namespace {

void add_sampler_metrics(const SamplerCost& sampler, FamilyList& families) {
  const MetricLabels measured = {provenance_label(Provenance::Measured)};
  const double cpu_s = Seconds(sampler.cpu_time).count();
  // The sampler keeps account now and then only; before the first time nothing is known.
  families.counter("jouletree_sampler_cpu_seconds_total",
                   "CPU time of the thread that reads the meters.");
  if (cpu_s > 0) families.add(measured, cpu_s);
  families.gauge("jouletree_sampler_cpu_ratio",
                 "Share of one CPU that reading the meters takes, since the monitor started.");
  if (cpu_s > 0) families.add(measured, cpu_s / Seconds(sampler.elapsed).count());
  const auto count = [&](const char* name, const char* help, std::uint64_t value) {
    families.counter(name, help);
    families.add(measured, static_cast<double>(value));
  };
  count("jouletree_sampler_ticks_total", "Times that the sampler woke up.", sampler.ticks);
  count("jouletree_sampler_readings_total", "Readings of meters.", sampler.readings);
  count("jouletree_sampler_overruns_total",
        "Ticks that were left out because the one before took too long.", sampler.overruns);
  families.gauge("jouletree_sampler_lateness_seconds",
                 "How much later than planned ticks came, since the monitor started.");
  const auto lateness = [&](const char* statistic, std::chrono::nanoseconds late) {
    MetricLabels labels = measured;
    labels.push_back({"statistic", statistic});
    families.add(std::move(labels), Seconds(late).count());
  };
  lateness("median", sampler.late_median);
  lateness("p99", sampler.late_p99);
  lateness("worst", sampler.late_worst);
}

}  // namespace

void add_own_cost_metrics(const measure::WatchedMachine& machine, FamilyList& families) {
  const MetricLabels measured = {provenance_label(Provenance::Measured)};
  families.counter("jouletree_own_cpu_seconds_total", "CPU time of the monitor itself.");
  families.add(measured, Seconds(machine.own_cpu_time).count());
  families.gauge("jouletree_own_memory_bytes", "Resident memory of the monitor itself.");
  families.add_known(measured, machine.own_memory_bytes);
  add_sampler_metrics(machine.sampler, families);
}

}  // namespace jouletree::report
