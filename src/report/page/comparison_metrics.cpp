#include "report/page/comparison_metrics.hpp"

#include <algorithm>

#include "store/json_member.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;
using store::member;

std::optional<double> metric_number(const Json& json, const char* key) {
  const Json& found = member(json, key);
  return found.is_number() ? std::optional(found.get<double>()) : std::nullopt;
}

}  // namespace

bool is_comparison(const Json& json) {
  const Json& models = member(json, "models");
  return models.is_array() && !models.empty() &&
         std::all_of(models.begin(), models.end(), [](const Json& one) {
           return one.is_object() && member(one, "model").is_string() &&
                  member(one, "metrics").is_object();
         });
}

std::vector<tree::MetricResult> metrics_in(const Json& json,
                                           const std::vector<tree::MetricEntry>& catalogue) {
  std::vector<tree::MetricResult> results;
  for (const tree::MetricEntry& entry : catalogue) {
    const Json& found = member(json, std::string(entry.metric.name).c_str());
    if (!found.is_object()) continue;
    tree::MetricResult& result = results.emplace_back();
    result.entry = entry;
    result.value.value = metric_number(found, "value");
    result.value.low = metric_number(found, "low");
    result.value.high = metric_number(found, "high");
    const Json& bound = member(found, "lower_bound");
    result.value.lower_bound = bound.is_boolean() && bound.get<bool>();
    const Json& how = member(found, "provenance");
    if (how.is_string()) result.value.provenance = provenance_named(how.get<std::string>());
  }
  return results;
}

}  // namespace jouletree::report
