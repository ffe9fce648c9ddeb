#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "jouletree/error.hpp"
#include "store/json_member.hpp"
#include "store/stored_run_json.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> number(const Json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}
std::optional<int> whole(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  const double number = value.get<double>();
  return std::abs(number) <= std::numeric_limits<int>::max() ? std::optional(value.get<int>())
                                                             : std::nullopt;
}
std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> out;
  if (!list.is_array()) return out;
  for (const Json& item : list) out.push_back(text(item));
  return out;
}

Figure quantity(const Json& value) {
  return {number(member(value, "value")), number(member(value, "low")),
          number(member(value, "high"))};
}

StoredDomain domain_of(const Json& json) {
  StoredDomain domain;
  domain.name = text(member(json, "name"));
  domain.level = text(member(json, "level"));
  domain.kind = text(member(json, "kind"));
  domain.provenance = text(member(json, "provenance"));
  domain.method = text(member(json, "method"));
  domain.energy_j = quantity(member(json, "energy_j"));
  domain.above_idle_j = quantity(member(json, "energy_above_idle_j"));
  domain.power_w = number(member(json, "power_w"));
  domain.peak_power_w = number(member(json, "peak_power_w"));
  domain.peak_over_s = number(member(json, "peak_over_s"));
  domain.covered_s = number(member(json, "covered_s"));
  return domain;
}

StoredGpu gpu_of(const Json& json) {
  StoredGpu gpu;
  gpu.device = text(member(json, "device"));
  gpu.model = text(member(json, "model"));
  gpu.utilisation = number(member(json, "utilisation"));
  gpu.peak_utilisation = number(member(json, "peak_utilisation"));
  gpu.sm_share = number(member(json, "sm_share"));
  gpu.peak_memory_bytes = number(member(json, "peak_memory_bytes"));
  gpu.peak_temperature_c = number(member(json, "peak_temperature_c"));
  gpu.power_limit_w = number(member(json, "power_limit_w"));
  gpu.throttle_reasons = texts(member(json, "throttle_reasons"));
  return gpu;
}

StoredGap gap_of(const Json& json) {
  return {text(member(json, "meter")), text(member(json, "reason")),
          number(member(json, "begin_s")).value_or(0), number(member(json, "end_s")).value_or(0)};
}

void read_metrics(const Json& metrics, StoredRun& run) {
  const auto value = [&](const char* key) { return number(member(member(metrics, key), "value")); };
  run.time_s = value("time_s");
  run.total.energy_j = quantity(member(metrics, "energy_j"));
  run.total.provenance = text(member(member(metrics, "energy_j"), "provenance"));
  run.total.above_idle_j = quantity(member(metrics, "energy_above_idle_j"));
  run.total.power_w = value("power_w");
  run.total.peak_power_w = value("peak_power_w");
  run.total.peak_over_s = number(member(member(metrics, "peak_power_w"), "over_s"));
  run.cpu_time_s = value("cpu_time_s");
  run.busy_cpus = value("busy_cpus");
  run.cpu_share = value("cpu_share");
  run.peak_pss_bytes = value("peak_pss_bytes");
  run.peak_rss_bytes = value("peak_rss_bytes");
}

/// Older summaries do not say that a sum lacks what a meter did not tell, but have the gap.
void add_missing_of_gaps(StoredRun& run) {
  const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const StoredGap& gap : run.gaps) {
    if (contains(run.total.summed, gap.meter) && !contains(run.total.missing, gap.meter))
      run.total.missing.push_back(gap.meter);
  }
}

StoredRun run_of(const Json& json) {
  StoredRun run;
  run.number =
      static_cast<int>(std::clamp<double>(number(member(json, "run")).value_or(1), 1, kHighestRun));
  run.command = texts(member(json, "command"));
  run.begin = text(member(json, "begin"));
  run.end = text(member(json, "end"));
  run.exit_code = whole(member(json, "exit_code"));
  run.signal = whole(member(json, "signal"));
  run.complete = member(json, "complete") != Json(false);
  read_metrics(member(json, "metrics"), run);
  run.total.rule = text(member(member(json, "total"), "rule"));
  run.total.summed = texts(member(member(json, "total"), "summed"));
  run.total.missing = texts(member(member(json, "total"), "missing"));
  run.total.covered_s = number(member(member(json, "total"), "covered_s"));
  for (const Json& domain : member(json, "domains")) run.domains.push_back(domain_of(domain));
  for (const Json& gpu : member(json, "gpus")) run.gpus.push_back(gpu_of(gpu));
  for (const Json& gap : member(json, "gaps")) run.gaps.push_back(gap_of(gap));
  add_missing_of_gaps(run);
  run.interval_s = number(member(json, "interval_s"));
  run.baseline_s = number(member(json, "baseline_s"));
  run.meter_cpu_time_s = number(member(json, "meter_cpu_time_s"));
  run.notes = texts(member(json, "notes"));
  return run;
}

}  // namespace

StoredRuns parse_summary(const std::string& text, const std::string& where) {
  const Json json = parse_json_if_any<Json>(text);
  const Json& runs = member(json, "runs");
  if (!runs.is_array()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: is not a summary of runs; move it away, or name another folder", where));
  }
  StoredRuns result;
  for (const Json& run : runs) result.runs.push_back(run_of(run));
  return result;
}

}  // namespace jouletree::store
