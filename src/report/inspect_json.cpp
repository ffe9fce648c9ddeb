#include <ostream>

#include <nlohmann/json.hpp>

#include "report/groups.hpp"
#include "report/input_shapes.hpp"
#include "report/metric_json.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

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

const char* key_of(Grouping grouping) {
  switch (grouping) {
    case Grouping::Module: return "modules";
    case Grouping::Operator: return "operators";
    case Grouping::Type: return "types";
  }
  return "";
}

std::string text_of(const Json& json, int indent) {
  // Names in a model file may be any bytes; what is not UTF-8 is replaced.
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// Prints the object with one more member: a list with a line for each group. A large model has
/// thousands of them, so they are neither kept nor spread over many lines.
void print_with_lines(const Json& object, const char* key, const std::vector<Group>& groups,
                      Grouping grouping, std::ostream& out) {
  std::string text = text_of(object, 2);
  text.resize(text.size() - std::string_view("\n}").size());
  out << text << ",\n  \"" << key << "\": [";
  const char* separator = "\n    ";
  for (const Group& group : groups) {
    out << separator << text_of(group_json(group, grouping), -1);
    separator = ",\n    ";
  }
  out << "\n  ]\n}\n";
}

}  // namespace

void print_inspect_json(const ModelTree& tree, const std::vector<tree::MetricResult>& metrics,
                        const InspectView& view, std::ostream& out) {
  Json json;
  json["model"] = tree.name;
  json["file"] = tree.graph->path.string();
  json["producer"] = tree.graph->producer;
  Json opsets = Json::object();
  for (const auto& [domain, version] : tree.graph->opsets)
    opsets[domain.empty() ? "ai.onnx" : std::string(domain)] = version;
  json["opsets"] = std::move(opsets);
  json["inputs"] = inputs_json(tree.inference.inputs);
  json["metrics"] = metrics_json(metrics);
  json["operators_without_rule"] = tree.root.totals.without_rule;
  json["operators_unresolved"] = tree.root.totals.unresolved;
  json["notes"] = tree.notes;
  print_with_lines(json, key_of(view.grouping), groups_of(tree, view), view.grouping, out);
}

}  // namespace jouletree::report
