#include "store/profile_view_json.hpp"

#include "base/json_or_null.hpp"
#include "base/shares.hpp"
#include "store/above_idle.hpp"
#include "store/score_json.hpp"
#include "tree/input_json.hpp"
#include "tree/metric_json.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

/// It has fewer parameters than the file where the engine folded some of them.
constexpr const char* kCountsAreOf = "the model as it was given";

/// Of a time that may be that inside the model.
std::string time_provenance(bool in_place) {
  return std::string(in_place ? kMeasuredInPlace : name_of(Provenance::Measured));
}

/// Of a sum over operators, or of what follows from one.
Json operator_sum_json(const Figure& sum, const char* unit, const std::string& provenance,
                       const ProfileLedger& ledger) {
  Json json = number_json(sum, unit, provenance);
  json["lower_bound"] = ledger.is_lower_bound(sum.value);
  return json;
}

/// Every metric, and beside some of them what else belongs to the number.
Json view_metrics_json(const ProfileView& view) {
  Json metrics = tree::metrics_json(view.metrics);
  metrics["time_s"]["windows"] = view.windows;
  metrics["time_s"]["precise"] = view.precise;
  metrics["time_s"]["asked_precision"] = or_null(view.asked_precision);
  metrics["energy_j"]["covers"] = text_or_null(view.energy_covers);
  metrics["energy_above_idle_j"]["doubt"] = text_or_null(view.energy_above_idle_doubt);
  const ProfileLedger& ledger = view.ledger;
  metrics["attribution_time"]["lower_bound"] = ledger.is_lower_bound(ledger.attribution_time);
  metrics["attribution_energy"]["lower_bound"] = ledger.is_lower_bound(ledger.attribution_energy);
  return metrics;
}

Json latency_json(const std::optional<MeasuredLatency>& latency) {
  if (!latency) return nullptr;
  return {{"mean", latency->mean_s}, {"median", latency->median_s},
          {"p90", latency->p90_s},   {"p99", latency->p99_s},
          {"min", latency->min_s},   {"max", latency->max_s},
          {"n", latency->runs},      {"provenance", name_of(Provenance::Measured)}};
}

Json phases_json(const ProfileNode& node, const std::string& energy_provenance) {
  Json json = Json::object();
  for (const ProfilePhase& phase : node.phases) {
    json[phase.name] = {
        {"time_s", or_null(phase.time_s)},
        {"time_provenance",
         phase.time_s ? Json(time_provenance(phase.in_place > 0)) : Json(nullptr)},
        {"energy_j", or_null(phase.energy_j)},
        {"energy_provenance", phase.energy_j ? Json(energy_provenance) : Json(nullptr)},
        {"operators_in_place", phase.in_place},
        {"operators_unmeasured", phase.unknown}};
  }
  return json;
}

Json node_json(const ProfileNode& node, const std::string& energy_provenance) {
  Json json{
      {"level", node.level},
      {"kind", node.kind},
      {"name", node.name},
      {"scope", node.scope},
      {"type", text_or_null(node.type)},
      {"time_s", or_null(node.time_s)},
      {"time_provenance", node.time_s ? Json(time_provenance(node.is_in_place())) : Json(nullptr)},
      {"energy_j", or_null(node.energy_j)},
      {"energy_provenance", node.energy_j ? Json(energy_provenance) : Json(nullptr)},
      {"alone", node.alone},
      {"operators_s", or_null(node.operators_s)},
      {"operators_lower_bound", node.is_sum_lower_bound()},
      {"operators_in_place", node.in_place},
      {"operators_unmeasured", node.unknown},
      {"in_place_s", or_null(node.in_place_s)}};
  if (!node.phases.empty()) json["phases"] = phases_json(node, energy_provenance);
  if (!node.reused_from.empty()) json["reused_from"] = node.reused_from;
  return json;
}

Json operator_json(const ProfileOperator& row, const ProfileView& view) {
  Json json = {{"first", row.name},
               {"type", text_or_null(row.type)},
               {"count", row.count},
               {"in_place_s", or_null(row.in_place_s)}};
  if (!row.failure.empty()) json["error"] = row.failure;
  if (!row.each_s()) {
    json["time_s"] = nullptr;
    return json;
  }
  if (!row.reused_from.empty()) json["reused_from"] = row.reused_from;
  json["time_s"] = number_json({row.each_s(), row.time_s.low, row.time_s.high}, "s",
                               time_provenance(row.is_in_place()));
  json["energy_j"] = number_json(row.energy_j, "J", view.energy.provenance);
  json["total_s"] = or_null(row.total_s());
  json["share_time"] = or_null(share(row.total_s(), view.ledger.whole_s));
  json["total_j"] = or_null(row.total_j());
  json["share_energy"] = or_null(share(row.total_j(), view.ledger.whole_j));
  return json;
}

Json type_json(const ProfileType& type, const ProfileLedger& ledger) {
  return {{"type", type.type},
          {"count", type.count},
          {"measured", type.measured},
          {"in_place", type.in_place},
          {"time_s", or_null(type.time_s)},
          {"time_lower_bound", type.is_time_lower_bound()},
          {"share_time", or_null(share(type.time_s, ledger.whole_s))},
          {"energy_j", or_null(type.energy_j)},
          {"energy_lower_bound", type.is_energy_lower_bound()},
          {"share_energy", or_null(share(type.energy_j, ledger.whole_j))}};
}

Json ledger_json(const ProfileLedger& ledger, const std::string& energy_provenance) {
  const std::string measured(name_of(Provenance::Measured));
  Json json{
      {"operators", ledger.operators},
      {"kinds", ledger.kinds},
      {"failed", ledger.failed},
      {"left_out", ledger.left_out},
      {"out_of_time", ledger.out_of_time},
      {"in_place", ledger.in_place},
      {"budget_for_all_s", or_null(ledger.budget_for_all_s)},
      {"time_s",
       {{"operators", or_null(ledger.adjusted_s.value)},
        {"raw_sum", operator_sum_json(ledger.raw_s, "s", measured, ledger)},
        {"adjusted_sum", operator_sum_json(ledger.adjusted_s, "s", measured, ledger)},
        {"in_place", or_null(ledger.in_place_s)},
        {"whole", or_null(ledger.whole_s)},
        {"remainder", or_null(ledger.remainder_s())},
        {"attribution", or_null(ledger.attribution_time)},
        {"provenance", measured}}},
      {"energy_j",
       {{"operators", or_null(ledger.adjusted_j.value)},
        {"raw_sum", operator_sum_json(ledger.raw_j, "J", energy_provenance, ledger)},
        {"adjusted_sum", operator_sum_json(ledger.adjusted_j, "J", energy_provenance, ledger)},
        {"whole", or_null(ledger.whole_j)},
        {"remainder", or_null(ledger.remainder_j())},
        {"attribution", or_null(ledger.attribution_energy)},
        {"provenance", text_or_null(energy_provenance)}}},
      {"adjustment",
       {{"name", kAdjustment}, {"is", kAdjustmentIs}, {"scatter", or_null(ledger.speed_scatter)}}},
      {"attribution_is", "adjusted_sum / whole"},
      {"remainder_is", ledger.remainder_name()}};
  if (ledger.reused_kinds > 0) {
    json["reused"] = {{"kinds", ledger.reused_kinds},
                      {"time_s", or_null(ledger.reused_s)},
                      {"share_of_sum", or_null(share(ledger.reused_s, ledger.raw_s.value))}};
  }
  if (ledger.caller.empty()) return json;
  json["caller"] = ledger.caller;
  json["time_s"]["caller"] = number_json(ledger.caller_s, "s", measured);
  json["energy_j"]["caller"] =
      number_json(ledger.caller_j, "J", ledger.caller_j.value ? energy_provenance : "");
  json["attribution_is"] = "(adjusted_sum + caller) / whole";
  return json;
}

Json target_json(const std::optional<ProfileTarget>& target) {
  if (!target) return nullptr;
  return {
      {"share", target->asked}, {"reached", target->reached}, {"operator_types", target->types}};
}

}  // namespace

Json number_json(const Figure& figure, const std::string& unit, const std::string& provenance) {
  return {{"value", or_null(figure.value)},
          {"unit", unit},
          {"provenance", figure.value ? text_or_null(provenance) : Json(nullptr)},
          {"low", or_null(figure.low)},
          {"high", or_null(figure.high)}};
}

Json view_json(const ProfileView& view) {
  Json json;
  json["format"] = kProfileFormat;
  json["version"] = kProfileVersion;
  json["model"] = view.model;
  json["engine"] = view.engine;
  json["inputs"] = tree::inputs_json(view.inputs);
  json["metrics"] = view_metrics_json(view);
  if (view.score) json["score"] = score_json(*view.score);
  json["counts_are_of"] = kCountsAreOf;
  json["latency_s"] = latency_json(view.latency);
  json["ledger"] = ledger_json(view.ledger, view.energy.provenance);
  json["target"] = target_json(view.target);
  json["tree"] = Json::array();
  for (const ProfileNode& node : view.tree)
    json["tree"].push_back(node_json(node, view.energy.provenance));
  json["operator_types"] = Json::array();
  for (const ProfileType& type : view.types)
    json["operator_types"].push_back(type_json(type, view.ledger));
  json["operators"] = Json::array();
  for (const ProfileOperator& row : view.operators)
    json["operators"].push_back(operator_json(row, view));
  json["operators_failed"] = view.ledger.failed;
  json["operators_left_out"] = view.ledger.left_out;
  json["failures"] = view.failures;
  json["warnings"] = view.warnings;
  json["notes"] = view.notes;
  json["environment"] = {{"date", text_or_null(view.date)},
                         {"cpu", text_or_null(view.cpu)},
                         {"cpus", or_null(view.cpus)},
                         {"settings", Json(view.settings)}};
  return json;
}

}  // namespace jouletree::store
