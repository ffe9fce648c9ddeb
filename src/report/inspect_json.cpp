#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "report/groups.hpp"
#include "tree/input_json.hpp"
#include "tree/metric_json.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

void append_number(std::string& line, std::string_view key, std::int64_t number) {
  const fmt::format_int digits(number);
  line += ",\"";
  line += key;
  line += "\":";
  line.append(digits.data(), digits.size());
}

void append_sum(std::string& line, std::string_view key, const Sum& sum) {
  if (const auto value = sum.value()) {
    append_number(line, key, *value);
  } else {
    line += ",\"";
    line += key;
    line += "\":null";
  }
}

/// Written by hand because a large model has thousands of them: as JSON objects they would take
/// longer than all counting.
void append_group(std::string& line, const Group& group, Grouping grouping) {
  if (grouping == Grouping::Type) {
    line += "{\"type\":";
    append_json_text(line, group.type);
    append_number(line, "count", group.calls);
  } else {
    line += "{\"scope\":";
    append_json_text(line, group.scope);
    line += ",\"type\":";
    if (group.type.empty()) {
      line += "null";
    } else {
      append_json_text(line, group.type);
    }
    if (grouping == Grouping::Module) {
      append_number(line, "level", group.level);
      append_number(line, "count", group.calls);
    }
  }
  append_number(line, "params", group.totals.params);
  append_sum(line, "macs", group.totals.macs);
  append_sum(line, "flops", group.totals.flops);
  const Sum bytes_moved = group.totals.bytes_moved();
  append_sum(line, "bytes_moved", bytes_moved);
  append_number(line, "weight_bytes", group.totals.weight_bytes);
  line += group.totals.without_rule == 0 ? ",\"has_rule\":true" : ",\"has_rule\":false";
  if (group.totals.flops.lower_bound() || bytes_moved.lower_bound())
    line += ",\"lower_bound\":true";
  line += '}';
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
  std::string line;
  for (const Group& group : groups) {
    line.clear();
    line += separator;
    append_group(line, group, grouping);
    out << line;
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
  json["inputs"] = tree::inputs_json(tree.inference.inputs);
  json["metrics"] = tree::metrics_json(metrics);
  json["operators_without_rule"] = tree.root.totals.without_rule;
  json["operators_unresolved"] = tree.root.totals.unresolved;
  json["notes"] = tree.notes;
  print_with_lines(json, key_of(view.grouping), groups_of(tree, view), view.grouping, out);
}

}  // namespace jouletree::report
