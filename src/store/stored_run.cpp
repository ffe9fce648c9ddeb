#include "store/stored_run.hpp"

#include "store/calendar.hpp"

namespace jouletree::store {
namespace {

std::optional<double> number(const std::optional<Joules>& energy) {
  return energy ? std::optional(energy->value()) : std::nullopt;
}
std::optional<double> number(const std::optional<Watts>& power) {
  return power ? std::optional(power->value) : std::nullopt;
}
std::optional<double> number(const std::optional<std::int64_t>& bytes) {
  return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}
double seconds(std::chrono::nanoseconds time) { return Seconds(time).count(); }

Figure quantity(const std::optional<EnergyRange>& energy) {
  if (!energy) return {};
  return {energy->value.value(), number(energy->low), number(energy->high)};
}

StoredDomain stored(const DomainEnergy& domain, const MeterInfo& meter) {
  StoredDomain result;
  result.name = domain.name;
  result.level = name_of(domain.level);
  result.kind = name_of(domain.kind);
  result.provenance = name_of(domain.provenance);
  result.method = meter.method;
  result.energy_j = quantity(domain.gross);
  result.above_idle_j = quantity(domain.above_idle);
  result.power_w = number(domain.average);
  result.peak_power_w = number(domain.peak);
  result.peak_over_s = seconds(domain.peak_over);
  result.covered_s = seconds(domain.covered);
  return result;
}

StoredTotal stored(const TotalEnergy& total) {
  StoredTotal result;
  result.summed = total.summed;
  result.missing = total.missing;
  result.rule = total.rule;
  result.provenance = name_of(total.provenance);
  result.energy_j = quantity(total.gross);
  result.above_idle_j = quantity(total.above_idle);
  result.power_w = number(total.average);
  result.peak_power_w = number(total.peak);
  result.peak_over_s = seconds(total.peak_over);
  result.covered_s = seconds(total.covered);
  return result;
}

StoredGpu stored(const measure::GpuUsage& gpu) {
  return {gpu.device,
          gpu.model,
          gpu.utilisation.mean,
          gpu.utilisation.highest,
          gpu.sm_share.mean,
          gpu.memory_bytes.highest,
          gpu.temperature_c.highest,
          number(gpu.power_limit),
          gpu.throttle_reasons};
}

/// The kernel counts what all programs use in ticks of 10 ms, and a share of a few of them is
/// chance.
bool is_share_of_few_ticks(double cpu_time_s, double share) {
  constexpr Seconds kFewTicks{0.05};
  return cpu_time_s < share * kFewTicks.count();
}

void add_usage(const measure::Usage& usage, StoredRun& result) {
  result.cpu_time_s = seconds(usage.cpu_time);
  result.busy_cpus = usage.cpus;
  if (usage.cpu_share && !is_share_of_few_ticks(*result.cpu_time_s, *usage.cpu_share))
    result.cpu_share = usage.cpu_share;
  result.peak_pss_bytes = number(usage.peak_pss_bytes);
  result.peak_rss_bytes = number(usage.peak_rss_bytes);
  for (const measure::GpuUsage& gpu : usage.gpus) result.gpus.push_back(stored(gpu));
}

}  // namespace

StoredRun stored_run(const measure::CommandRun& run, const Session& session,
                     const RunContext& context) {
  StoredRun result;
  result.number = context.number;
  result.command = run.command;
  result.begin = date_text(run.begin);
  result.end = date_text(run.end);
  if (run.ended.signal == 0) {
    result.exit_code = run.ended.exit_code;
  } else {
    result.signal = run.ended.signal;
  }
  result.time_s = seconds(run.energy.duration());
  result.interval_s = seconds(context.interval);
  for (std::size_t i = 0; i < run.energy.domains.size(); ++i)
    result.domains.push_back(stored(run.energy.domains[i], session.meters()[i]));
  result.total = stored(run.energy.total);
  if (context.baseline) result.baseline_s = seconds(context.baseline->duration);
  for (const Gap& gap : run.energy.gaps) {
    result.gaps.push_back({gap.meter, std::string(name_of(gap.reason)),
                           seconds(gap.begin - run.energy.begin),
                           seconds(gap.end - run.energy.begin)});
  }
  add_usage(run.usage, result);
  result.meter_cpu_time_s = seconds(session.cost().cpu_time);
  result.notes = context.notes;
  return result;
}

}  // namespace jouletree::store
