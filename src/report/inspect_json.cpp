#include <cmath>
#include <ostream>

#include <nlohmann/json.hpp>

#include "jouletree/metrics.hpp"
#include "report/groups.hpp"

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

Json sum_json(const Sum& sum) {
  const auto value = sum.value();
  return value ? Json(*value) : Json(nullptr);
}

Json group_json(const Group& group, Grouping grouping) {
  Json out;
  if (grouping == Grouping::Type) {
    out["type"] = group.type;
    out["count"] = group.calls;
  } else {
    out["scope"] = group.scope;
    out["type"] = group.type.empty() ? Json(nullptr) : Json(group.type);
    if (grouping == Grouping::Module) {
      out["level"] = group.level;
      out["count"] = group.calls;
    }
  }
  out["params"] = group.totals.params;
  out["macs"] = sum_json(group.totals.macs);
  out["flops"] = sum_json(group.totals.flops);
  out["bytes_moved"] = sum_json(group.totals.bytes_moved());
  out["weight_bytes"] = group.totals.weight_bytes;
  out["has_rule"] = group.totals.without_rule == 0;
  const bool lower_bound =
      group.totals.flops.lower_bound() || group.totals.bytes_moved().lower_bound();
  if (lower_bound) out["lower_bound"] = true;
  return out;
}

Json inputs_json(const ModelTree& tree) {
  Json inputs = Json::array();
  for (const ValueId id : tree.graph->main.inputs) {
    const GraphValue& value = tree.graph->values[id];
    if (value.constant) continue;
    const ValueType& type = tree.inference.values[id];
    inputs.push_back({{"name", value.name},
                      {"type", name_of(type.type)},
                      {"shape", type.dims ? Json(*type.dims) : Json(nullptr)}});
  }
  return inputs;
}

const char* key_of(Grouping grouping) {
  switch (grouping) {
    case Grouping::Module: return "modules";
    case Grouping::Operator: return "operators";
    case Grouping::Type: return "types";
  }
  return "";
}

}  // namespace

void print_inspect_json(const ModelTree& tree, const InspectView& view, std::ostream& out) {
  Json json;
  json["model"] = tree.name;
  json["file"] = tree.graph->path.string();
  json["producer"] = tree.graph->producer;
  Json opsets = Json::object();
  for (const auto& [domain, version] : tree.graph->opsets)
    opsets[domain.empty() ? "ai.onnx" : std::string(domain)] = version;
  json["opsets"] = std::move(opsets);
  json["inputs"] = inputs_json(tree);
  Json metrics;
  for (const Metric& metric : metric_catalogue())
    metrics[std::string(metric.name)] = metric_json(metric, tree);
  json["metrics"] = std::move(metrics);
  json["operators_without_rule"] = tree.root.totals.without_rule;
  json["operators_unresolved"] = tree.root.totals.unresolved;
  json["notes"] = tree.notes;
  Json groups = Json::array();
  for (const Group& group : groups_of(tree, view))
    groups.push_back(group_json(group, view.grouping));
  json[key_of(view.grouping)] = std::move(groups);
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree
