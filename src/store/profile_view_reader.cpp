#include <algorithm>

#include <fmt/format.h>

#include "base/json_problem.hpp"
#include "jouletree/error.hpp"
#include "store/above_idle.hpp"
#include "store/profile_view_json.hpp"
#include "store/score_json.hpp"
#include "tree/input_json.hpp"
#include "tree/score_metrics.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

/// Deeper than any model; a damaged file must not indent a line by gigabytes.
constexpr int kDeepestLevel = 1000;

std::optional<double> known_number(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<double>();
}

/// Of a member that profiles of older programs lack.
std::optional<double> later_number(const Json& json, const char* key) {
  const auto member = json.find(key);
  return member == json.end() ? std::nullopt : known_number(*member);
}

std::int64_t later_count(const Json& json, const char* key) {
  const auto member = json.find(key);
  return member == json.end() ? 0 : member->get<std::int64_t>();
}

std::string later_text(const Json& json, const char* key) {
  const auto member = json.find(key);
  return member == json.end() ? "" : member->get<std::string>();
}

std::string known_text(const Json& json) { return json.is_null() ? "" : json.get<std::string>(); }

Figure figure_of(const Json& json) {
  return {known_number(json.at("value")), known_number(json.at("low")),
          known_number(json.at("high"))};
}

Figure later_figure(const Json& json, const char* key) {
  const auto member = json.find(key);
  return member == json.end() ? Figure{} : figure_of(*member);
}

ProfileNumber view_number_of(const Json& json) {
  return {figure_of(json), known_text(json.at("provenance"))};
}

/// Those of the catalogue that follow from other parts of the profile.
bool is_measured(const std::string& name) {
  const auto catalogue = metric_catalogue();
  return std::any_of(catalogue.begin(), catalogue.end(), [&](const Metric& metric) {
    return metric.name == name && metric.from_profile != nullptr;
  });
}

/// Of the metrics in a profile, those that were counted, or computed by plug-ins. Profiles of older
/// programs have none.
std::vector<CountedMetric> counted_of(const Json& metrics) {
  std::vector<CountedMetric> counted;
  for (const auto& [name, json] : metrics.items()) {
    if (is_measured(name) || tree::is_score_key(name)) continue;
    CountedMetric metric{name, "", {}};
    if (const auto source = json.find("source"); source != json.end())
      metric.source = known_text(*source);
    metric.value.value = known_number(json.at("value"));
    metric.value.provenance = provenance_named(known_text(json.at("provenance")));
    metric.value.low = later_number(json, "low");
    metric.value.high = later_number(json, "high");
    metric.value.lower_bound = json.value("lower_bound", false);
    counted.push_back(std::move(metric));
  }
  return counted;
}

/// Older profiles keep a number that cannot be told from none, with or without the doubt.
void read_doubt(const Json& above_idle, ProfileView& view) {
  const Figure above = view.energy_above_idle.figure;
  view.energy_above_idle_doubt =
      above.value ? above_idle_doubt(above.value, above.low, view.energy.figure.value)
                  : known_text(above_idle.value("doubt", Json(nullptr)));
  if (!view.energy_above_idle_doubt.empty()) view.energy_above_idle = {};
}

void read_metrics(const Json& metrics, ProfileView& view) {
  view.time = view_number_of(metrics.at("time_s"));
  view.windows = metrics.at("time_s").at("windows").get<std::int64_t>();
  view.precise = metrics.at("time_s").at("precise").get<bool>();
  view.asked_precision = later_number(metrics.at("time_s"), "asked_precision");
  view.energy = view_number_of(metrics.at("energy_j"));
  if (const Json& energy = metrics.at("energy_j"); energy.contains("covers"))
    view.energy_covers = known_text(energy.at("covers"));
  view.energy_above_idle = view_number_of(metrics.at("energy_above_idle_j"));
  read_doubt(metrics.at("energy_above_idle_j"), view);
  view.counted = counted_of(metrics);
  if (const auto size = metrics.find("size_bytes"); size != metrics.end())
    if (!size->at("value").is_null()) view.model_bytes = size->at("value").get<std::int64_t>();
}

std::optional<MeasuredLatency> latency_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  MeasuredLatency latency;
  latency.mean_s = json.at("mean").get<double>();
  latency.median_s = json.at("median").get<double>();
  latency.p90_s = json.at("p90").get<double>();
  latency.p99_s = json.at("p99").get<double>();
  latency.min_s = json.at("min").get<double>();
  latency.max_s = json.at("max").get<double>();
  latency.runs = json.at("n").get<std::int64_t>();
  return latency;
}

ProfileNode node_of(const Json& json) {
  ProfileNode node;
  node.level = json.at("level").get<int>();
  if (node.level < 0 || node.level > kDeepestLevel)
    throw Error(ErrorKind::BadInput, fmt::format("a row of the tree has level {}", node.level));
  node.kind = json.at("kind").get<std::string>();
  node.name = json.at("name").get<std::string>();
  node.scope = json.at("scope").get<std::string>();
  node.type = known_text(json.at("type"));
  node.time_s = known_number(json.at("time_s"));
  node.energy_j = known_number(json.at("energy_j"));
  node.alone = json.at("alone").get<bool>();
  node.operators_s = known_number(json.at("operators_s"));
  node.in_place = later_count(json, "operators_in_place");
  node.unknown = json.at("operators_unmeasured").get<std::int64_t>();
  node.in_place_s = known_number(json.at("in_place_s"));
  node.reused_from = later_text(json, "reused_from");
  if (const auto phases = json.find("phases"); phases != json.end()) {
    for (const auto& [name, phase] : phases->items()) {
      node.phases.push_back({name, known_number(phase.at("time_s")),
                             known_number(phase.at("energy_j")),
                             phase.at("operators_in_place").get<std::int64_t>(),
                             phase.at("operators_unmeasured").get<std::int64_t>()});
    }
  }
  return node;
}

ProfileOperator viewed_operator(const Json& json) {
  ProfileOperator row;
  row.name = json.at("first").get<std::string>();
  row.type = known_text(json.at("type"));
  row.count = json.at("count").get<std::int64_t>();
  row.in_place_s = known_number(json.at("in_place_s"));
  if (const auto error = json.find("error"); error != json.end()) {
    row.failure = error->get<std::string>();
    return row;
  }
  if (json.at("time_s").is_null()) return row;
  if (known_text(json.at("time_s").at("provenance")) == kMeasuredInPlace) return row;
  row.reused_from = later_text(json, "reused_from");
  row.time_s = figure_of(json.at("time_s"));
  row.energy_j = figure_of(json.at("energy_j"));
  return row;
}

ProfileType type_of(const Json& json) {
  ProfileType type;
  type.type = json.at("type").get<std::string>();
  type.count = json.at("count").get<std::int64_t>();
  type.measured = json.at("measured").get<std::int64_t>();
  type.in_place = later_count(json, "in_place");
  type.time_s = known_number(json.at("time_s"));
  type.energy_j = known_number(json.at("energy_j"));
  return type;
}

ProfileLedger ledger_of(const Json& json) {
  ProfileLedger ledger;
  ledger.operators = json.at("operators").get<std::int64_t>();
  ledger.kinds = json.at("kinds").get<std::int64_t>();
  ledger.failed = json.at("failed").get<std::int64_t>();
  ledger.left_out = json.at("left_out").get<std::int64_t>();
  ledger.out_of_time = json.at("out_of_time").get<std::int64_t>();
  ledger.in_place = later_count(json, "in_place");
  ledger.budget_for_all_s = later_number(json, "budget_for_all_s");
  if (const auto reused = json.find("reused"); reused != json.end()) {
    ledger.reused_kinds = reused->at("kinds").get<std::int64_t>();
    ledger.reused_s = known_number(reused->at("time_s"));
  }
  if (const auto adjustment = json.find("adjustment"); adjustment != json.end())
    ledger.speed_scatter = later_number(*adjustment, "scatter");
  const Json& time = json.at("time_s");
  ledger.in_place_s = later_number(time, "in_place");
  ledger.raw_s = later_figure(time, "raw_sum");
  ledger.adjusted_s = later_figure(time, "adjusted_sum");
  ledger.adjusted_s.value = known_number(time.at("operators"));
  ledger.whole_s = known_number(time.at("whole"));
  ledger.attribution_time = known_number(time.at("attribution"));
  const Json& energy = json.at("energy_j");
  ledger.raw_j = later_figure(energy, "raw_sum");
  ledger.adjusted_j = later_figure(energy, "adjusted_sum");
  ledger.adjusted_j.value = known_number(energy.at("operators"));
  ledger.whole_j = known_number(energy.at("whole"));
  ledger.attribution_energy = known_number(energy.at("attribution"));
  if (const auto caller = json.find("caller"); caller != json.end()) {
    ledger.caller = caller->get<std::string>();
    ledger.caller_s = figure_of(time.at("caller"));
    ledger.caller_j = figure_of(energy.at("caller"));
  }
  return ledger;
}

std::optional<ProfileTarget> target_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return ProfileTarget{json.at("share").get<double>(), json.at("reached").get<bool>(),
                       json.at("operator_types").get<std::vector<std::string>>()};
}

void check_format(const Json& json) {
  if (!json.is_object() || !json.contains("format") || json.at("format") != kProfileFormat) {
    throw Error(ErrorKind::BadInput,
                "is not a profile; name a folder that 'jouletree profile -o' wrote");
  }
  const int version = json.at("version").get<int>();
  if (version != kProfileVersion) {
    throw Error(ErrorKind::BadInput,
                fmt::format("is a profile of version {}, but this program reads version {}; "
                            "profile the model again",
                            version, kProfileVersion));
  }
}

/// Written beside the view, by whoever measured.
std::optional<ProfileOthers> others_of(const Json& json) {
  const auto found = json.find("others");
  if (found == json.end() || found->is_null()) return std::nullopt;
  return ProfileOthers{found->at("cpus").get<double>() + found->at("stolen_cpus").get<double>(),
                       found->at("of_cpus").get<double>()};
}

ProfileView read_view(const Json& json) {
  check_format(json);
  ProfileView view;
  view.model = json.at("model").get<std::string>();
  view.engine = json.at("engine").get<std::string>();
  if (json.contains("inputs")) view.inputs = tree::inputs_of(json.at("inputs"));
  read_metrics(json.at("metrics"), view);
  if (json.contains("score")) view.score = score_of(json.at("score"));
  view.latency = latency_of(json.at("latency_s"));
  view.ledger = ledger_of(json.at("ledger"));
  view.target = target_of(json.at("target"));
  for (const Json& node : json.at("tree")) view.tree.push_back(node_of(node));
  for (const Json& type : json.at("operator_types")) view.types.push_back(type_of(type));
  for (const Json& row : json.at("operators")) view.operators.push_back(viewed_operator(row));
  view.others = others_of(json);
  view.failures = json.at("failures").get<std::vector<std::string>>();
  if (json.contains("warnings"))
    view.warnings = json.at("warnings").get<std::vector<std::string>>();
  view.notes = json.at("notes").get<std::vector<std::string>>();
  const Json& environment = json.at("environment");
  view.date = known_text(environment.at("date"));
  view.cpu = known_text(environment.at("cpu"));
  if (!environment.at("cpus").is_null()) view.cpus = environment.at("cpus").get<std::int64_t>();
  view.settings = environment.at("settings").get<std::map<std::string, std::string>>();
  view.metrics = tree::MetricSet().compute(measured_model(view));
  return view;
}

}  // namespace

ProfileView parse_view(const Json& json, const std::string& where) {
  try {
    return read_view(json);
  } catch (const Json::exception& problem) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is a damaged profile ({}); profile the model again", where,
                            json_problem(problem)));
  } catch (const Error& problem) {
    throw Error(problem.kind(), fmt::format("{}: {}", where, problem.what()));
  }
}

}  // namespace jouletree::store
