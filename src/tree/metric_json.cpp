#include "tree/metric_json.hpp"

#include <cmath>

#include "base/json_or_null.hpp"

namespace jouletree::tree {
namespace {

using Json = nlohmann::ordered_json;

Json json_number(double value) {
  // Whole numbers up to 2^53 are exact in a double and should not be printed with a point.
  constexpr double kExact = 9007199254740992.0;
  if (std::floor(value) == value && std::abs(value) <= kExact)
    return static_cast<std::int64_t>(value);
  return value;
}

Json metric_json(const tree::MetricResult& result) {
  const Metric& metric = result.entry.metric;
  const MetricValue& value = result.value;
  Json out;
  if (is_only_measured(result.entry)) {
    out["value"] = or_null(value.value);
    out["unit"] = metric.unit;
    out["provenance"] = value.value ? Json(name_of(provenance_of(result))) : Json(nullptr);
    out["low"] = or_null(value.low);
    out["high"] = or_null(value.high);
  } else {
    out["value"] = value.value ? json_number(*value.value) : Json(nullptr);
    out["unit"] = metric.unit;
    out["provenance"] = name_of(provenance_of(result));
    if (value.low) out["low"] = *value.low;
    if (value.high) out["high"] = *value.high;
  }
  if (value.lower_bound) out["lower_bound"] = true;
  if (!result.entry.plugin.empty()) out["source"] = result.entry.plugin;
  if (!result.failure.empty()) out["error"] = result.failure;
  return out;
}

}  // namespace

Json metrics_json(const std::vector<tree::MetricResult>& results) {
  Json metrics;
  for (const tree::MetricResult& result : results)
    metrics[std::string(result.entry.metric.name)] = metric_json(result);
  return metrics;
}

Json sum_json(const Sum& sum) {
  const auto value = sum.value();
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace jouletree::tree
