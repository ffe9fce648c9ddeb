#include "measure/input_ranges.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace jouletree {
namespace {

using Json = nlohmann::json;

/// How many rows the smallest table has that the input looks up, through operators that keep its
/// values; nothing where it looks up none.
std::optional<Dim> smallest_table(const Graph& graph, const Inference& inference, ValueId input) {
  std::vector<ValueId> same{input};
  std::optional<Dim> smallest;
  for (const Node& node : graph.main.nodes) {
    const auto reads = [&](std::size_t slot) {
      return slot < node.inputs.size() &&
             std::find(same.begin(), same.end(), node.inputs[slot]) != same.end();
    };
    const bool keeps = node.op == "Cast" || node.op == "Identity" || node.op == "Reshape" ||
                       node.op == "Unsqueeze" || node.op == "Squeeze" || node.op == "Flatten";
    if (keeps && reads(0) && !node.outputs.empty()) same.push_back(node.outputs[0]);
    if (node.op != "Gather" || !reads(1)) continue;
    const auto& table = inference.values[node.inputs[0]].dims;
    const Attribute* axis = node.attribute("axis");
    const auto along =
        static_cast<std::size_t>(axis == nullptr ? 0 : std::max<std::int64_t>(0, axis->integer));
    if (!table || along >= table->size()) continue;
    const Dim rows = (*table)[along];
    if (rows > 0) smallest = std::min(smallest.value_or(rows), rows);
  }
  return smallest;
}

bool is_mask(std::string_view name) { return name.find("mask") != std::string_view::npos; }

Json describe(const Graph& graph, const Inference& inference, const InputSettings& settings,
              ValueId id) {
  const GraphValue& value = graph.values[id];
  const ValueType& type = inference.values[id];
  if (!type.resolved() || type.kind != ValueKind::Tensor) {
    throw Error(ErrorKind::BadInput,
                fmt::format("input '{}' has no known shape: give one with --input {}=SHAPE",
                            value.name, value.name));
  }
  Json description{{"type", static_cast<int>(type.type)}, {"dims", *type.dims}};
  if (const auto given = settings.values.find(value.name); given != settings.values.end()) {
    Json numbers = Json::array();
    for (const Scalar& element : given->second) numbers.push_back(element.as_real());
    description["values"] = std::move(numbers);
  } else if (is_mask(value.name) || type.type == DataType::Bool) {
    description["values"] = {1};
  } else if (is_integer(type.type)) {
    const Dim rows = smallest_table(graph, inference, id).value_or(2);
    description["low"] = 0;
    description["high"] = rows - 1;
  }
  return description;
}

}  // namespace

Json input_descriptions(const Graph& graph, const Inference& inference,
                        const InputSettings& settings) {
  Json inputs = Json::object();
  for (const ValueId id : graph.main.inputs) {
    if (graph.values[id].constant) continue;
    inputs[std::string(graph.values[id].name)] = describe(graph, inference, settings, id);
  }
  return inputs;
}

}  // namespace jouletree
