#include "report/metric_json.hpp"

#include <cmath>

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  // Whole numbers up to 2^53 are exact in a double and should not be printed with a point.
  constexpr double kExact = 9007199254740992.0;
  if (std::floor(value) == value && std::abs(value) <= kExact)
    return static_cast<std::int64_t>(value);
  return value;
}

Json metric_json(const Metric& metric, const ModelTree& tree) {
  const MetricValue result = metric.compute(tree);
  Json out;
  out["value"] = result.value ? number(*result.value) : Json(nullptr);
  out["unit"] = metric.unit;
  out["provenance"] = name_of(metric.provenance);
  if (result.lower_bound) out["lower_bound"] = true;
  return out;
}

}  // namespace

Json metrics_json(const ModelTree& tree) {
  Json metrics;
  for (const Metric& metric : metric_catalogue())
    metrics[std::string(metric.name)] = metric_json(metric, tree);
  return metrics;
}

Json sum_json(const Sum& sum) {
  const auto value = sum.value();
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace jouletree
