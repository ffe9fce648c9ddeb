#include "store/score_json.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/json_or_null.hpp"
#include "jouletree/error.hpp"
#include "tree/metric_json.hpp"
#include "tree/score_metrics.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<MetricScale, const char*> kScales[] = {{MetricScale::Plain, "plain"},
                                                           {MetricScale::Ratio, "share"},
                                                           {MetricScale::Si, "si"},
                                                           {MetricScale::Bytes, "bytes"},
                                                           {MetricScale::Thousands, "thousands"}};
constexpr Better kBetter[] = {Better::Neither, Better::Lower, Better::Higher};

std::string word_of_scale(MetricScale scale) {
  for (const auto& [one, word] : kScales)
    if (one == scale) return word;
  return "";
}

[[noreturn]] void refuse_word(const std::string& word) {
  throw Error(
      ErrorKind::BadInput,
      fmt::format("holds a score with the word '{}', which is none; score the model again", word));
}

MetricScale scale_named(const std::string& word) {
  for (const auto& [scale, known] : kScales)
    if (word == known) return scale;
  refuse_word(word);
}

Better better_named(const std::string& word) {
  for (const Better one : kBetter)
    if (word == name_of(one)) return one;
  refuse_word(word);
}

Json value_json(const MetricValue& value, const char* unit) {
  Json json = {{"value", or_null(value.value)},
               {"unit", unit},
               {"provenance",
                value.value && value.provenance ? Json(name_of(*value.provenance)) : Json(nullptr)},
               {"low", or_null(value.low)},
               {"high", or_null(value.high)}};
  if (value.lower_bound) json["lower_bound"] = true;
  return json;
}

Json measured_seconds(const std::optional<double>& seconds) {
  return value_json({seconds, false, {}, {}, Provenance::Measured}, "s");
}

std::optional<double> score_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

MetricValue value_in(const Json& json) {
  MetricValue value;
  value.value = score_number(json.at("value"));
  value.low = score_number(json.at("low"));
  value.high = score_number(json.at("high"));
  value.lower_bound = json.value("lower_bound", false);
  if (const Json& how = json.at("provenance"); !how.is_null())
    value.provenance = provenance_named(how.get<std::string>());
  return value;
}

/// Absent in scores of older programs.
std::optional<std::int64_t> count_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? std::nullopt
                                                 : std::optional(found->get<std::int64_t>());
}

Json scored_json(const ScoredMetric& metric) {
  return {{"name", metric.name},
          {"friendly_name", metric.friendly_name},
          {"value", metric.value},
          {"unit", "1"},
          {"provenance", name_of(Provenance::Measured)},
          {"better", name_of(metric.better)},
          {"shown_as", word_of_scale(metric.scale)}};
}

}  // namespace

Json score_json(const Score& score) {
  Json json;
  json["model"] = score.model;
  json["engine"] = text_or_null(score.engine);
  json["params"] = score.params ? Json(*score.params) : Json(nullptr);
  json["model_bytes"] = score.model_bytes ? Json(*score.model_bytes) : Json(nullptr);
  json["primary"] = score.metrics.empty() ? Json(nullptr) : Json(score.metrics.front().name);
  json["scores"] = Json::array();
  for (const ScoredMetric& metric : score.metrics) json["scores"].push_back(scored_json(metric));
  json["examples"] = score.examples;
  json["batch"] = score.batch > 0 ? Json(score.batch) : Json(nullptr);
  json["time_s"] = measured_seconds(score.time_s);
  json["model_time_s"] = measured_seconds(score.model_time_s);
  json["energy_j"] = value_json(score.energy_j, "J");
  json["energy_j"]["covers"] = text_or_null(score.energy_covers);
  json["epr"] = value_json(score.epr(), "J");
  json["epr"]["alpha"] = score.epr_alpha;
  json["epr"]["error"] = or_null(score.error);
  json["labels_hash"] = text_or_null(score.labels_hash);
  json["metrics"] = tree::metrics_json(tree::score_results(score));
  json["notes"] = score.notes;
  return json;
}

Score score_of(const Json& json) {
  const auto text = [](const Json& member) {
    return member.is_null() ? std::string() : member.get<std::string>();
  };
  Score score;
  score.model = json.at("model").get<std::string>();
  score.engine = text(json.at("engine"));
  score.params = count_in(json, "params");
  score.model_bytes = count_in(json, "model_bytes");
  for (const Json& one : json.at("scores")) {
    score.metrics.push_back(
        {one.at("name").get<std::string>(), one.at("friendly_name").get<std::string>(),
         one.at("value").get<double>(), better_named(one.at("better").get<std::string>()),
         scale_named(one.at("shown_as").get<std::string>())});
  }
  score.examples = json.at("examples").get<std::int64_t>();
  if (!json.at("batch").is_null()) score.batch = json.at("batch").get<std::int64_t>();
  score.time_s = score_number(json.at("time_s").at("value")).value_or(0);
  score.model_time_s = score_number(json.at("model_time_s").at("value"));
  score.energy_j = value_in(json.at("energy_j"));
  score.energy_covers = text(json.at("energy_j").at("covers"));
  score.epr_alpha = json.at("epr").at("alpha").get<double>();
  score.error = score_number(json.at("epr").at("error"));
  score.labels_hash = text(json.at("labels_hash"));
  score.notes = json.at("notes").get<std::vector<std::string>>();
  return score;
}

}  // namespace jouletree::store
