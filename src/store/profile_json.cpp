#include "store/profile_json.hpp"

#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "measure/profile_windows.hpp"
#include "store/environment_json.hpp"
#include "store/profile_view_json.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

/// Everything that a series of windows says, so that nobody has to trust one choice.
Json series_json(const measure::Trials& trials) {
  const Summary& time = trials.time;
  return {{"mean", time.mean},
          {"median", time.median},
          {"trimmed_mean", time.trimmed_mean},
          {"deviation", time.deviation},
          {"half_width", time.n < 2 ? Json(nullptr) : Json(time.half_width)},
          {"median_low", time.n < 2 ? Json(nullptr) : Json(time.median_low)},
          {"median_high", time.n < 2 ? Json(nullptr) : Json(time.median_high)},
          {"min", time.min},
          {"max", time.max},
          {"n", time.n},
          {"runs", trials.runs},
          {"precise", trials.precise}};
}

Json card_json(const GpuState& gpu) {
  return {{"device", gpu.device},
          {"model", gpu.model},
          {"utilisation", or_null(gpu.utilisation)},
          {"memory_utilisation", or_null(gpu.memory_utilisation)},
          {"memory_used_bytes", or_null(gpu.memory_used_bytes)},
          {"memory_total_bytes", or_null(gpu.memory_total_bytes)},
          {"sm_clock_mhz", or_null(gpu.sm_clock_mhz)},
          {"memory_clock_mhz", or_null(gpu.memory_clock_mhz)},
          {"temperature_c", or_null(gpu.temperature_c)},
          {"throttle_reasons", gpu.throttle_reasons}};
}

Json use_json(const measure::ResourceUse& use) {
  Json json = {{"cpus", or_null(use.cpus)}, {"memory_bytes", or_null(use.memory_bytes)}};
  json["gpus"] = Json::array();
  for (const GpuState& gpu : use.gpus) json["gpus"].push_back(card_json(gpu));
  return json;
}

Json range_json(const std::optional<EnergyRange>& from) {
  if (!from) return nullptr;
  return {{"value", from->value.value()},
          {"low", from->low ? Json(from->low->value()) : Json(nullptr)},
          {"high", from->high ? Json(from->high->value()) : Json(nullptr)}};
}

/// What the meters say about all runs of a workload together.
Json metered_json(const std::optional<TotalEnergy>& energy) {
  if (!energy) return nullptr;
  const auto watts = [](const std::optional<Watts>& power) {
    return power ? Json(power->value) : Json(nullptr);
  };
  return {{"summed", energy->summed},
          {"rule", energy->rule},
          {"provenance", name_of(energy->provenance)},
          {"energy_j", range_json(energy->gross)},
          {"energy_above_idle_j", range_json(energy->above_idle)},
          {"power_w", watts(energy->average)},
          {"peak_power_w", watts(energy->peak)},
          {"peak_over_s", std::chrono::duration<double>(energy->peak_over).count()}};
}

/// The same of each meter.
Json domains_json(const std::vector<DomainEnergy>& domains) {
  Json list = Json::array();
  for (const DomainEnergy& domain : domains) {
    list.push_back({{"name", domain.name},
                    {"provenance", name_of(domain.provenance)},
                    {"energy_j", range_json(domain.gross)},
                    {"energy_above_idle_j", range_json(domain.above_idle)}});
  }
  return list;
}

/// Adds to an object that has time and energy what else was measured.
void add_details(const measure::Measured& measured, Json& json) {
  if (!measured.good()) return;
  const auto how = measure::energy_provenance_of(measured);
  json["energy_above_idle_j"] = number_json(measure::energy_above_idle_of(measured), "J",
                                            std::string(how ? name_of(*how) : ""));
  json["series_s"] = series_json(measured.trials);
  json["series_set_aside"] = measured.set_aside.size();
  json["metered"] = metered_json(measured.energy);
  json["domains"] = domains_json(measured.domains);
  json["use"] = use_json(measured.use);
  if (!measured.reused) return;
  json["reused_from"] = measured.reused->date;
  json["reused_origin"] = measured.reused->origin;
}

Json measured_json(const measure::Measured& measured) {
  if (!measured.good()) return {{"error", measured.failure}};
  const auto how = measure::energy_provenance_of(measured);
  Json json;
  json["time_s"] =
      number_json(measure::time_of(measured), "s", std::string(name_of(Provenance::Measured)));
  json["energy_j"] =
      number_json(measure::energy_of(measured), "J", std::string(how ? name_of(*how) : ""));
  add_details(measured, json);
  return json;
}

Json machine_json(const std::vector<measure::MachineState>& states, Time begin) {
  Json list = Json::array();
  for (const measure::MachineState& state : states) {
    list.push_back({{"at_s", measure::seconds_between(begin, state.at)},
                    {"clock_mhz", or_null(state.clock_mhz)},
                    {"slowest_mhz", or_null(state.slowest_mhz)},
                    {"throttled", or_null(state.throttled)},
                    {"temperature_c", or_null(state.temperature_c)},
                    {"load", or_null(state.load)}});
  }
  return list;
}

Json others_json(const std::optional<measure::OthersUse>& others) {
  if (!others) return nullptr;
  return {{"cpus", others->cpus},
          {"stolen_cpus", others->stolen},
          {"of_cpus", others->of_cpus},
          {"provenance", name_of(Provenance::Measured)}};
}

Json idle_json(const std::optional<Baseline>& idle) {
  if (!idle) return nullptr;
  Json domains = Json::array();
  for (const IdlePower& domain : idle->domains) {
    domains.push_back({{"name", domain.name},
                       {"power_w", domain.power.value},
                       {"low", domain.low ? Json(domain.low->value) : Json(nullptr)},
                       {"high", domain.high ? Json(domain.high->value) : Json(nullptr)}});
  }
  return {{"duration_s", std::chrono::duration<double>(idle->duration).count()},
          {"domains", std::move(domains)}};
}

}  // namespace

Json profile_json(const measure::Profile& profile, const ProfileView& view) {
  Json json = view_json(view);
  json["whole"] = measured_json(profile.whole);
  if (profile.caller) {
    json["program"] = measured_json(profile.caller->program);
    json["program"]["caller_shares"] = profile.caller->shares;
  }
  for (std::size_t i = 0; i < profile.operators.size(); ++i) {
    const measure::UniqueOperator& unique = profile.operators[i];
    Json& row = json["operators"][i];
    row["key"] = unique.key;
    if (!unique.measured) continue;
    row["copies"] = unique.measured->copies;
    add_details(*unique.measured, row);
  }
  json["modules"] = Json::object();
  for (const auto& [scope, measured] : profile.modules) {
    Json& module = json["modules"][scope] = measured_json(measured);
    if (measured.good()) module["copies"] = measured.copies;
    if (!measured.same_as.empty()) module["same_as_operator"] = measured.same_as;
  }
  json["own_share"] = or_null(profile.own_share);
  json["idle"] = idle_json(profile.idle);
  json["machine"] = machine_json(profile.machine, measure::begin_of(profile));
  json["others"] = others_json(profile.others);
  json["environment"] = environment_json(profile.environment);
  return json;
}

std::string json_text(const Json& json) {
  // Names in a model file may be any bytes; what is not UTF-8 is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace jouletree::store
