// Operators of PyTorch that take graphs: choices, loops, and those that run a graph as it is.
#include <algorithm>

#include <fmt/format.h>

#include "model/pt2/argument_reader.hpp"
#include "model/pt2/program_walk.hpp"

namespace jouletree::model::pt2 {
namespace {

using runtime::Argument;

constexpr int kMostNestedGraphs = 32;

/// Tensors and numbers of an argument one by one, as a graph takes them.
void flatten(const Argument& argument, std::vector<Argument>& into) {
  if (argument.kind == Argument::Kind::List) {
    for (const Argument& item : argument.items) flatten(item, into);
  } else {
    into.push_back(argument);
  }
}

std::size_t flat_size(const Argument& argument) {
  std::vector<Argument> parts;
  flatten(argument, parts);
  return parts.size();
}

/// What the graph calls one of its inputs; empty for one that has no name.
std::string_view input_name(const dom::element& input) {
  const auto [kind, value] = tagged(input, "an input of a graph");
  dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return {};
  const std::string_view name = find_text(object, "name");
  return name.empty() ? find_text(object, "as_name") : name;
}

/// The length of the first dimension of the first tensor, along which a loop goes.
std::optional<std::int64_t> trips_along(const Argument& list) {
  std::vector<const runtime::RecordedTensor*> tensors;
  runtime::collect_tensors(list, tensors);
  if (tensors.empty() || tensors.front()->dims.empty()) return std::nullopt;
  const Dim trips = tensors.front()->dims.front();
  return trips == kUnknownDim ? std::nullopt : std::optional(trips);
}

}  // namespace

struct ProgramWalk::GraphCall {
  std::vector<dom::object> graphs;
  std::vector<Argument> before;    ///< Arguments in front of the first graph.
  std::vector<Argument> behind;    ///< Those behind the last one, lists as lists.
  std::vector<Argument> operands;  ///< The same one by one.
};

void ProgramWalk::add_graph_call(const NodeParts& parts, ValueScope& scope, Calls& into) {
  GraphCall given;
  std::string op;  // That a wrapper calls.
  for (const dom::element input : parts.inputs) {
    const dom::object named = as_object(input, parts.place);
    const auto found = find_field(named, "arg");
    if (!found) refuse_field(parts.place, "has an argument without 'arg'");
    const auto [kind, value] = tagged(*found, parts.place);
    if (kind == "as_graph") {
      given.graphs.push_back(object_at(as_object(value, parts.place), "graph", parts.place));
      continue;
    }
    if (kind == "as_operator" && op.empty()) op = as_text(value, parts.place);
    (given.graphs.empty() ? given.before : given.behind)
        .push_back(read_argument(*found, scope, parts.place));
  }
  for (const Argument& argument : given.behind) flatten(argument, given.operands);
  const std::string_view name = std::string_view(parts.op).substr(parts.op.find("::") + 2);
  const bool attends = name.starts_with("flex_attention");
  if (given.graphs.empty() || attends) {
    NodeParts wrapped = parts;
    if (!op.empty()) name_operator(op, wrapped);
    return add_call(wrapped, scope, into);
  }
  if (++nested_ > kMostNestedGraphs) refuse_field(parts.place, "is nested too deeply");
  if (name == "cond" && given.graphs.size() == 2) {
    add_choice(parts, given, scope, into);
  } else if (name == "while_loop" || name == "map" || name == "map_impl" || name == "scan" ||
             name == "associative_scan") {
    add_loop(parts, given, scope, into);
  } else {
    add_inlined(parts, given, scope, into);
  }
  --nested_;
}

runtime::RecordedBody ProgramWalk::body_of(const NodeParts& parts, const dom::object& graph,
                                           const std::vector<Argument>& operands,
                                           std::size_t fresh) {
  ValueScope inside(graph, sizes_, numbers_);
  runtime::RecordedBody body;
  std::size_t at = 0;
  for (const dom::element input : array_at(graph, "inputs", parts.place)) {
    const std::string_view name = input_name(input);
    const std::vector<std::string_view> tensors = tensor_names(input);
    if (at < fresh && !tensors.empty()) {
      body.inputs.push_back(inside.make_tensor(tensors.front()).argument);
    } else if (at < operands.size() && !name.empty()) {
      KnownValue value;
      value.argument = operands[at];
      if (!tensors.empty()) value.facts = inside.facts_of(name);
      // A tensor in the place of a number, or the other way round, is what the graph says.
      if (!tensors.empty() && !value.argument.is_tensor()) {
        inside.make_tensor(name);
      } else {
        inside.set(name, std::move(value));
      }
    } else if (!tensors.empty()) {
      refuse_field(parts.place, fmt::format("gives its graph no '{}'", name));
    }
    ++at;
  }
  walk(graph, inside, parts.path, body.calls);
  body.outputs = outputs(array_at(graph, "outputs", parts.place), inside);
  return body;
}

void ProgramWalk::add_choice(const NodeParts& parts, const GraphCall& given, ValueScope& scope,
                             Calls& into) {
  const Argument::Kind condition =
      given.before.empty() ? Argument::Kind::None : given.before.front().kind;
  if (condition == Argument::Kind::Boolean || condition == Argument::Kind::Integer) {
    // Sizes decide, and they are known.
    GraphCall taken = given;
    taken.graphs = {given.graphs[given.before.front().integer != 0 ? 0 : 1]};
    return add_inlined(parts, taken, scope, into);
  }
  runtime::RecordedCall call;
  call.op = parts.op;
  call.path = parts.path;
  call.body_use = runtime::BodyUse::Choice;
  call.arguments = given.before;
  for (const dom::object graph : given.graphs)
    call.bodies.push_back(body_of(parts, graph, given.operands, 0));
  for (const std::string_view name : output_names(parts.node, parts.place))
    call.outputs.push_back(scope.make_tensor(name).argument);
  into.push_back(std::move(call));
}

void ProgramWalk::add_loop(const NodeParts& parts, const GraphCall& given, ValueScope& scope,
                           Calls& into) {
  runtime::RecordedCall call;
  call.op = parts.op;
  call.path = parts.path;
  call.body_use = runtime::BodyUse::Loop;
  call.arguments = given.operands;
  const std::vector<Argument>& lists = given.behind;
  const std::size_t first = lists.empty() ? 0 : flat_size(lists[0]);
  const std::size_t second = lists.size() < 2 ? 0 : flat_size(lists[1]);
  std::vector<Argument> operands = given.operands;
  std::size_t fresh = first;  // Of map: slices; of while_loop: what it carries along.
  if (parts.op.ends_with("::scan")) {
    fresh = first + second;
    if (lists.size() > 1) call.trips = trips_along(lists[1]);
  } else if (parts.op.ends_with("::associative_scan")) {
    // Takes the same slices twice, for two neighbours.
    fresh = 2 * first;
    operands.insert(operands.begin(), given.operands.begin(),
                    given.operands.begin() + static_cast<std::ptrdiff_t>(first));
    if (!lists.empty()) call.trips = trips_along(lists[0]);
    if (call.trips) call.trips = std::max<std::int64_t>(0, *call.trips - 1);
  } else if (!parts.op.ends_with("::while_loop")) {
    if (!lists.empty()) call.trips = trips_along(lists[0]);
  }
  for (const dom::object graph : given.graphs)
    call.bodies.push_back(body_of(parts, graph, operands, fresh));
  for (const std::string_view name : output_names(parts.node, parts.place))
    call.outputs.push_back(scope.make_tensor(name).argument);
  into.push_back(std::move(call));
}

void ProgramWalk::add_inlined(const NodeParts& parts, const GraphCall& given, ValueScope& scope,
                              Calls& into) {
  const dom::object& graph = given.graphs.front();
  // Some name the graph with a text before they give it its arguments.
  std::vector<Argument> operands = given.operands;
  std::size_t taken = 0;
  for (const dom::element input : array_at(graph, "inputs", parts.place)) {
    (void)input;
    ++taken;
  }
  while (operands.size() > taken && !operands.front().is_tensor()) operands.erase(operands.begin());
  runtime::RecordedBody body = body_of(parts, graph, operands, 0);
  for (runtime::RecordedCall& call : body.calls) into.push_back(std::move(call));
  const std::vector<std::string_view> names = output_names(parts.node, parts.place);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i < body.outputs.size()) {
      scope.set(names[i], {body.outputs[i], scope.facts_of(names[i])});
    } else {
      scope.make_tensor(names[i]);
    }
  }
}

}  // namespace jouletree::model::pt2
