#include "model/pt2/program_walk.hpp"

#include <fmt/format.h>

#include "model/pt2/argument_reader.hpp"
#include "model/pt2/batched_regions.hpp"
#include "model/pt2/shared_memory.hpp"

namespace jouletree::model::pt2 {
namespace {

using runtime::Argument;

constexpr std::string_view kOperators = "torch.ops.";

/// "torch.ops.aten.add.Tensor" is the overload Tensor of aten::add; anything else is a function of
/// Python on numbers, which gives no tensors.
struct Target {
  std::string op;
  std::string overload;
};

Target target_of(std::string_view text) {
  if (!text.starts_with(kOperators)) return {std::string(text), ""};
  text.remove_prefix(kOperators.size());
  const std::size_t space = text.find('.');
  if (space == std::string_view::npos) return {std::string(text), ""};
  std::string_view name = text.substr(space + 1);
  const std::size_t overload = name.find('.');
  Target target;
  target.op = fmt::format("{}::{}", text.substr(0, space), name.substr(0, overload));
  if (overload != std::string_view::npos) target.overload = name.substr(overload + 1);
  return target;
}

std::string_view base_name(std::string_view op) {
  const std::size_t at = op.rfind("::");
  return at == std::string_view::npos ? op : op.substr(at + 2);
}

std::string_view stack_of(const dom::object& node) {
  const auto metadata = find_field(node, "metadata");
  dom::object object;
  const bool is_object = metadata && metadata->get(object) == simdjson::SUCCESS;
  return is_object ? find_text(object, "nn_module_stack") : std::string_view();
}

/// Dropout that does not train is its input.
bool is_idle_dropout(std::string_view op, const std::vector<Argument>& arguments) {
  return op.find("dropout") != std::string_view::npos && !arguments.empty() &&
         arguments.back().kind == Argument::Kind::Boolean && arguments.back().integer == 0;
}

/// The name of the first tensor among the inputs of a node; empty where there is none.
std::string_view first_tensor_name(const dom::array& inputs) {
  for (const dom::element input : inputs) {
    dom::object given;
    if (input.get(given) != simdjson::SUCCESS) continue;
    const auto found = find_field(given, "arg");
    if (!found) continue;
    const std::vector<std::string_view> names = tensor_names(*found);
    if (!names.empty()) return names.front();
  }
  return {};
}

/// Of conversions: .to(..., copy=True).
bool asks_for_copy(const dom::array& inputs) {
  for (const dom::element input : inputs) {
    dom::object given;
    bool truth = false;
    if (input.get(given) == simdjson::SUCCESS && find_text(given, "name") == "copy" &&
        given["arg"]["as_bool"].get(truth) == simdjson::SUCCESS && truth)
      return true;
  }
  return false;
}

std::string_view written_name(const dom::array& inputs, std::string_view op,
                              std::string_view overload) {
  if (writes_in_place(op)) return first_tensor_name(inputs);
  if (overload != "out" && !overload.ends_with("_out")) return {};
  for (const dom::element input : inputs) {
    dom::object given;
    if (input.get(given) == simdjson::SUCCESS && find_text(given, "name") == "out" &&
        find_field(given, "arg")) {
      const std::vector<std::string_view> names = tensor_names(*find_field(given, "arg"));
      return names.empty() ? std::string_view() : names.front();
    }
  }
  return {};
}

}  // namespace

std::vector<std::string_view> output_names(const dom::object& node, std::string_view place) {
  std::vector<std::string_view> names;
  for (const dom::element output : array_at(node, "outputs", place))
    for (const std::string_view name : tensor_names(output)) names.push_back(name);
  return names;
}

std::vector<Argument> ProgramWalk::outputs(const dom::array& outputs, const ValueScope& scope) {
  std::vector<Argument> results;
  for (const dom::element output : outputs)
    for (const std::string_view name : tensor_names(output))
      results.push_back(scope.tensor(name, "the graph").argument);
  return results;
}

void ProgramWalk::collect_types(const dom::object& graph) {
  for (const dom::element element : array_at(graph, "nodes", "the graph")) {
    dom::object node;
    if (element.get(node) == simdjson::SUCCESS) paths_.add(stack_of(node));
  }
}

void ProgramWalk::name_operator(std::string_view target, NodeParts& parts) {
  Target named = target_of(target);
  parts.op = std::move(named.op);
  parts.overload = std::move(named.overload);
}

ProgramWalk::NodeParts ProgramWalk::parts_of(const dom::object& node, std::size_t index,
                                             const Path& around) const {
  NodeParts parts;
  parts.node = node;
  const std::string numbered = fmt::format("node {}", index + 1);
  name_operator(text_at(node, "target", numbered), parts);
  parts.place = fmt::format("{} ({})", numbered, parts.op);
  parts.inputs = array_at(node, "inputs", parts.place);
  const std::string_view stack = stack_of(node);
  parts.path = stack.empty() ? around : paths_.steps(stack);
  return parts;
}

void ProgramWalk::walk(const dom::object& graph, ValueScope& scope, const Path& around,
                       Calls& into) {
  collect_types(graph);
  BatchedRegions regions(into);
  std::size_t index = 0;
  for (const dom::element element : array_at(graph, "nodes", "the graph")) {
    const NodeParts parts =
        parts_of(as_object(element, fmt::format("node {}", index + 1)), index, around);
    ++index;
    if (regions.take(parts.node, parts.op, parts.inputs, parts.path, scope)) continue;
    if (parts.op.starts_with("higher_order::")) {
      add_graph_call(parts, scope, regions.calls());
    } else {
      add_call(parts, scope, regions.calls());
    }
  }
  regions.close();
}

void ProgramWalk::add_call(const NodeParts& parts, ValueScope& scope, Calls& into) const {
  const std::vector<std::string_view> results = output_names(parts.node, parts.place);
  const std::string_view op = base_name(parts.op);
  const std::string_view written = written_name(parts.inputs, op, parts.overload);
  if (results.empty() && written.empty()) return;
  runtime::RecordedCall call;
  call.op = parts.op;
  call.overload = parts.overload;
  call.path = parts.path;
  call.arguments = read_arguments(parts.inputs, parts.op, scope, parts.place);
  const std::string_view first_name = first_tensor_name(parts.inputs);
  if (results.size() == 1 && !first_name.empty() && is_idle_dropout(op, call.arguments)) {
    scope.set(results.front(), scope.tensor(first_name, parts.place));
    return;
  }
  const bool copies = asks_for_copy(parts.inputs);
  for (const std::string_view name : results) {
    KnownValue& result = scope.make_tensor(name);
    runtime::RecordedTensor& tensor = result.argument.tensor;
    if (!written.empty()) {
      const runtime::RecordedTensor& changed = scope.tensor(written, parts.place).argument.tensor;
      tensor.number = changed.number;
      tensor.storage = changed.storage;
    } else if (!first_name.empty()) {
      const KnownValue& first = scope.tensor(first_name, parts.place);
      const ResultIn place = result_in(op, first.facts, result.facts, copies);
      if (place != ResultIn::OwnMemory) tensor.storage = first.argument.tensor.storage;
      if (place == ResultIn::FirstInputSame) tensor.number = first.argument.tensor.number;
    }
    call.outputs.push_back(result.argument);
  }
  call.writes = !written.empty();
  if (results.empty()) call.outputs.push_back(scope.tensor(written, parts.place).argument);
  into.push_back(std::move(call));
}

}  // namespace jouletree::model::pt2
