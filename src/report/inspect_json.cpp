#include <functional>
#include <limits>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/beside.hpp"
#include "base/json_text.hpp"
#include "report/groups.hpp"
#include "tree/input_json.hpp"
#include "tree/metric_json.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

/// `key` as it stands in the text: with quotes, and what separates it. Copied by a few
/// instructions where the compiler knows its length.
[[gnu::always_inline]] inline void add_number(TextBuffer& text, std::string_view key,
                                              std::int64_t number) {
  text.add(key);
  text.add(number);
}

[[gnu::always_inline]] inline void add_sum(TextBuffer& text, std::string_view key, const Sum& sum) {
  if (const auto value = sum.value()) return add_number(text, key, *value);
  text.add(key);
  text.add("null");
}

/// Letters of a group beside its texts: keys and numbers.
constexpr std::size_t kMostOfGroup = 400;

/// Written by hand because a large model has thousands of them: as JSON objects they would take
/// longer than all counting.
void add_group(TextBuffer& text, const Group& group, Grouping grouping) {
  text.make_room(longest_json_text(group.scope) + longest_json_text(group.type) + kMostOfGroup);
  if (grouping == Grouping::Type) {
    text.add(R"({"type":)");
    add_json_text(text, group.type);
    add_number(text, R"(,"count":)", group.calls);
  } else {
    text.add(R"({"scope":)");
    add_json_text(text, group.scope);
    text.add(R"(,"type":)");
    if (group.type.empty()) {
      text.add("null");
    } else {
      add_json_text(text, group.type);
    }
    if (grouping == Grouping::Module) {
      add_number(text, R"(,"level":)", group.level);
      add_number(text, R"(,"count":)", group.calls);
    }
  }
  add_number(text, R"(,"params":)", group.totals.params);
  add_sum(text, R"(,"macs":)", group.totals.macs);
  add_sum(text, R"(,"flops":)", group.totals.flops);
  const Sum bytes_moved = group.totals.bytes_moved();
  add_sum(text, R"(,"bytes_moved":)", bytes_moved);
  add_number(text, R"(,"weight_bytes":)", group.totals.weight_bytes);
  text.add(R"(,"has_rule":)");
  text.add(group.totals.without_rule == 0 ? "true" : "false");
  if (group.totals.flops.lower_bound() || bytes_moved.lower_bound())
    text.add(R"(,"lower_bound":true)");
  text.add('}');
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

/// Some of the groups that are printed, by their number.
struct NodeStretch {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();  ///< Not one of them.
};

/// Adds the lines of a stretch of groups, and calls `added` behind each.
void add_lines(const ModelTree& tree, const InspectView& view, NodeStretch stretch,
               TextBuffer& text, const std::function<void()>& added) {
  std::int64_t number = 0;
  for_each_group(tree, view, [&](const Group& group) {
    const std::int64_t own = number++;
    if (own < stretch.first || own >= stretch.last) return;
    const std::string_view separator = own == 0 ? "\n    " : ",\n    ";
    text.make_room(separator.size());
    text.add(separator);
    add_group(text, group, view.grouping);
    added();
  });
}

TextBuffer lines_of(const ModelTree& tree, const InspectView& view, NodeStretch stretch) {
  // Text that has to grow is copied.
  constexpr std::int64_t kUsualLine = 200;
  TextBuffer text;
  text.make_room(static_cast<std::size_t>(tree.root.totals.operators - stretch.first) * kUsualLine);
  add_lines(tree, view, stretch, text, [] {});
  return text;
}

/// Prints in pieces of some size.
void print_stretch(const ModelTree& tree, const InspectView& view, NodeStretch stretch,
                   std::ostream& out) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  TextBuffer text;
  text.make_room(2 * kPiece);
  add_lines(tree, view, stretch, text, [&] {
    if (text.size() < kPiece) return;
    out << text.text();
    text.clear();
  });
  out << text.text();
}

/// In large models the second half of the lines is made while the first is printed.
void print_lines(const ModelTree& tree, const InspectView& view, std::ostream& out) {
  constexpr std::int64_t kManyLines = 1000;
  const std::int64_t operators = tree.root.totals.operators;
  const bool many = operators >= kManyLines && view.grouping == Grouping::Module;
  const NodeStretch before{0, many ? operators / 2 : NodeStretch().last};
  const NodeStretch behind{before.last, NodeStretch().last};
  Beside<TextBuffer> rest(many, [&] { return many ? lines_of(tree, view, behind) : TextBuffer(); });
  print_stretch(tree, view, before, out);
  out << rest.get().text();
}

/// Prints the object with one more member: a list with a line for each group. A large model has
/// thousands of them, so they are neither kept nor spread over many lines.
void print_with_lines(const Json& object, const ModelTree& tree, const InspectView& view,
                      std::ostream& out) {
  std::string head = text_of(object, 2);
  head.resize(head.size() - std::string_view("\n}").size());
  head += fmt::format(",\n  \"{}\": [", key_of(view.grouping));
  out << head;
  print_lines(tree, view, out);
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
  print_with_lines(json, tree, view, out);
}

}  // namespace jouletree::report
