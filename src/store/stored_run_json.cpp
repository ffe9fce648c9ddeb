#include "store/stored_run_json.hpp"

#include "base/json_or_null.hpp"
#include "store/run_above_idle.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

Json metric(const std::optional<double>& value, const char* unit, const std::string& provenance) {
  return {{"value", or_null(value)}, {"unit", unit}, {"provenance", provenance}};
}

Json metric(const Figure& quantity, const char* unit, const std::string& provenance) {
  Json out = metric(quantity.value, unit, provenance);
  out["low"] = or_null(quantity.low);
  out["high"] = or_null(quantity.high);
  return out;
}

Json bounds(const Figure& quantity) {
  return {{"value", or_null(quantity.value)},
          {"low", or_null(quantity.low)},
          {"high", or_null(quantity.high)}};
}

/// What is derived from a lower bound is one, too.
Json marked(Json derived, bool lower_bound) {
  if (lower_bound)
    for (Json& one : derived) one["lower_bound"] = true;
  return derived;
}

Json above_idle_json(const StoredRun& run) {
  const Figure known = known_above_idle(run.total.above_idle_j, run.total.energy_j);
  Json out = metric(known, "J", run.total.provenance);
  if (const std::string why = why_not_above_idle(run); !why.empty()) out["reason"] = why;
  return out;
}

Json run_metrics(const StoredRun& run, const DeriveMetrics& derive) {
  const std::string measured(name_of(Provenance::Measured));
  const std::string& provenance = run.total.provenance;
  Json out = {{"time_s", metric(run.time_s, "s", measured)},
              {"energy_j", metric(run.total.energy_j, "J", provenance)},
              {"energy_above_idle_j", above_idle_json(run)},
              {"power_w", metric(run.total.power_w, "W", provenance)},
              {"peak_power_w", metric(run.total.peak_power_w, "W", provenance)},
              {"cpu_time_s", metric(run.cpu_time_s, "s", measured)},
              {"busy_cpus", metric(run.busy_cpus, "1", measured)},
              {"cpu_share", metric(run.cpu_share, "1", measured)},
              {"peak_pss_bytes", metric(run.peak_pss_bytes, "B", measured)},
              {"peak_rss_bytes", metric(run.peak_rss_bytes, "B", measured)}};
  if (!run.total.missing.empty()) out["energy_j"]["lower_bound"] = true;
  out["peak_power_w"]["over_s"] = or_null(run.total.peak_over_s);
  if (derive)
    out.update(marked(derive(run.total.energy_j, provenance), !run.total.missing.empty()));
  return out;
}

Json domain_json(const StoredDomain& domain) {
  return {{"name", domain.name},
          {"level", domain.level},
          {"kind", domain.kind},
          {"provenance", domain.provenance},
          {"method", domain.method},
          {"energy_j", bounds(domain.energy_j)},
          {"energy_above_idle_j", bounds(known_above_idle(domain.above_idle_j, domain.energy_j))},
          {"power_w", or_null(domain.power_w)},
          {"peak_power_w", or_null(domain.peak_power_w)},
          {"peak_over_s", or_null(domain.peak_over_s)},
          {"covered_s", or_null(domain.covered_s)}};
}

Json gpu_json(const StoredGpu& gpu) {
  return {{"device", gpu.device},
          {"model", gpu.model},
          {"utilisation", or_null(gpu.utilisation)},
          {"peak_utilisation", or_null(gpu.peak_utilisation)},
          {"sm_share", or_null(gpu.sm_share)},
          {"peak_memory_bytes", or_null(gpu.peak_memory_bytes)},
          {"peak_temperature_c", or_null(gpu.peak_temperature_c)},
          {"power_limit_w", or_null(gpu.power_limit_w)},
          {"throttle_reasons", gpu.throttle_reasons}};
}

template <class Items, class Convert>
Json array_of(const Items& items, Convert convert) {
  Json out = Json::array();
  for (const auto& item : items) out.push_back(convert(item));
  return out;
}

Json gap_json(const StoredGap& gap) {
  return {
      {"meter", gap.meter}, {"reason", gap.reason}, {"begin_s", gap.begin_s}, {"end_s", gap.end_s}};
}

Json run_json(const StoredRun& run, const DeriveMetrics& derive) {
  return {{"run", run.number},
          {"command", run.command},
          {"begin", run.begin},
          {"end", run.end},
          {"exit_code", or_null(run.exit_code)},
          {"signal", or_null(run.signal)},
          {"complete", run.complete},
          {"metrics", run_metrics(run, derive)},
          {"total",
           {{"rule", run.total.rule},
            {"summed", run.total.summed},
            {"missing", run.total.missing},
            {"covered_s", or_null(run.total.covered_s)}}},
          {"domains", array_of(run.domains, domain_json)},
          {"gpus", array_of(run.gpus, gpu_json)},
          {"gaps", array_of(run.gaps, gap_json)},
          {"interval_s", or_null(run.interval_s)},
          {"baseline_s", or_null(run.baseline_s)},
          {"meter_cpu_time_s", or_null(run.meter_cpu_time_s)},
          {"notes", run.notes}};
}

}  // namespace

Json summary_json(const StoredRuns& runs, const DeriveMetrics& derive) {
  const RunsTotal total = total_of(runs);
  Json metrics = {{"runs", metric(static_cast<double>(total.runs), "1", "counted")},
                  {"time_s", metric(total.time_s, "s", "measured")},
                  {"energy_j", metric(total.energy_j, "J", total.provenance)}};
  metrics["runs"]["value"] = total.runs;
  if (total.is_lower_bound()) metrics["energy_j"]["lower_bound"] = true;
  if (derive)
    metrics.update(marked(derive(total.energy_j, total.provenance), total.is_lower_bound()));
  return {
      {"metrics", std::move(metrics)},
      {"runs", array_of(runs.runs, [&](const StoredRun& run) { return run_json(run, derive); })}};
}

}  // namespace jouletree::store
