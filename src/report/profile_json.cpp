#include <ostream>

#include <nlohmann/json.hpp>

#include "report/profile_report.hpp"
#include "report/profile_sums.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;

template <class Number>
Json or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json metric(const std::optional<double>& value, const char* unit, Provenance provenance) {
  return {{"value", or_null(value)}, {"unit", unit}, {"provenance", name_of(provenance)}};
}

Json time_of(const Measured& measured) {
  const Summary& time = measured.trials.time;
  Json json = metric(measured.seconds(), "s", Provenance::Measured);
  json["low"] = time.mean - time.half_width;
  json["high"] = time.mean + time.half_width;
  json["mean"] = time.mean;
  json["trimmed_mean"] = time.trimmed_mean;
  json["deviation"] = time.deviation;
  json["n"] = time.n;
  json["precise"] = measured.trials.precise;
  return json;
}

Json energy_of(const Measured& measured) {
  const Provenance provenance =
      measured.energy ? measured.energy->provenance : Provenance::Measured;
  return metric(measured.joules(), "J", provenance);
}

Json figures(const Measured& measured) {
  if (!measured.good()) return {{"error", measured.failure}};
  return {{"time_s", time_of(measured)}, {"energy_j", energy_of(measured)}};
}

Json operators_of(const Profile& profile) {
  Json list = Json::array();
  for (const UniqueOperator& unique : profile.operators) {
    Json item{{"first", first_scope(profile, unique)},
              {"key", unique.key},
              {"count", unique.nodes.size()},
              {"in_place_s", or_null(unique.in_place_s)}};
    item.update(unique.measured ? figures(*unique.measured) : Json{{"time_s", nullptr}});
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

void print_profile_json(const Profile& profile, std::ostream& out) {
  const Ledger& ledger = profile.ledger;
  const Provenance energy =
      profile.whole.energy ? profile.whole.energy->provenance : Provenance::Measured;
  Json json{{"model", profile.tree.name}, {"engine", profile.engine}};
  Json& metrics = json["metrics"];
  metrics = figures(profile.whole);
  const auto joules = profile.whole.joules();
  metrics["power_w"] =
      metric(joules ? std::optional(*joules / profile.whole.seconds()) : std::nullopt, "W", energy);
  metrics["attribution_time"] = metric(ledger.attribution_time, "1", Provenance::Measured);
  metrics["attribution_energy"] = metric(ledger.attribution_energy, "1", energy);
  if (!profile.latencies_s.empty()) {
    json["latency_s"] = {{"min", profile.latencies_s.front()},
                         {"median", quantile(profile.latencies_s, 0.5)},
                         {"p90", quantile(profile.latencies_s, 0.9)},
                         {"p99", quantile(profile.latencies_s, 0.99)},
                         {"n", profile.latencies_s.size()}};
  }
  json["operators"] = operators_of(profile);
  json["modules"] = Json::object();
  for (const auto& [scope, measured] : profile.modules) json["modules"][scope] = figures(measured);
  json["operators_failed"] = ledger.failed;
  json["operators_left_out"] = ledger.left_out;
  json["notes"] = profile.tree.notes;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree
