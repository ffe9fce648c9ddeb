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

/// `key` as it stands in the text: with quotes, and what separates it.
void append_number(std::string& text, std::string_view key, std::int64_t number) {
  const fmt::format_int digits(number);
  text += key;
  text.append(digits.data(), digits.size());
}

void append_sum(std::string& text, std::string_view key, const Sum& sum) {
  if (const auto value = sum.value()) return append_number(text, key, *value);
  text += key;
  text += "null";
}

/// Written by hand because a large model has thousands of them: as JSON objects they would take
/// longer than all counting.
void append_group(std::string& text, const Group& group, Grouping grouping) {
  if (grouping == Grouping::Type) {
    text += R"({"type":)";
    append_json_text(text, group.type);
    append_number(text, R"(,"count":)", group.calls);
  } else {
    text += R"({"scope":)";
    append_json_text(text, group.scope);
    text += R"(,"type":)";
    if (group.type.empty()) {
      text += "null";
    } else {
      append_json_text(text, group.type);
    }
    if (grouping == Grouping::Module) {
      append_number(text, R"(,"level":)", group.level);
      append_number(text, R"(,"count":)", group.calls);
    }
  }
  append_number(text, R"(,"params":)", group.totals.params);
  append_sum(text, R"(,"macs":)", group.totals.macs);
  append_sum(text, R"(,"flops":)", group.totals.flops);
  const Sum bytes_moved = group.totals.bytes_moved();
  append_sum(text, R"(,"bytes_moved":)", bytes_moved);
  append_number(text, R"(,"weight_bytes":)", group.totals.weight_bytes);
  text += group.totals.without_rule == 0 ? R"(,"has_rule":true)" : R"(,"has_rule":false)";
  if (group.totals.flops.lower_bound() || bytes_moved.lower_bound())
    text += R"(,"lower_bound":true)";
  text += '}';
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
void print_with_lines(const Json& object, const ModelTree& tree, const InspectView& view,
                      std::ostream& out) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  std::string text = text_of(object, 2);
  text.resize(text.size() - std::string_view("\n}").size());
  text += fmt::format(",\n  \"{}\": [", key_of(view.grouping));
  const char* separator = "\n    ";
  for_each_group(tree, view, [&](const Group& group) {
    text += separator;
    append_group(text, group, view.grouping);
    separator = ",\n    ";
    if (text.size() < kPiece) return;
    out << text;
    text.clear();
  });
  out << text << "\n  ]\n}\n";
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
  print_with_lines(json, tree, view, out);
}

}  // namespace jouletree::report
