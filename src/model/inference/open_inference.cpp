#include "model/inference/open_inference.hpp"

#include <algorithm>

#include "model/inference/evaluator.hpp"

namespace jouletree::model {
namespace {

bool has_bodies(const Block& block) {
  return std::any_of(block.nodes.begin(), block.nodes.end(), [](const Node& node) {
    return std::any_of(node.attributes.begin(), node.attributes.end(),
                       [](const Attribute& attribute) { return !attribute.blocks.empty(); });
  });
}

bool is_as_declared(const Graph& graph, const Inference& settled) {
  return std::all_of(graph.main.inputs.begin(), graph.main.inputs.end(), [&](ValueId input) {
    const GraphValue& value = graph.values[input];
    return value.constant ||
           (value.declared.resolved() && value.declared.dims == settled.values[input].dims &&
            settled.contents[input] == nullptr);
  });
}

}  // namespace

Inference open_inference(const Graph& graph, const Inference& settled) {
  // Branches that are not taken have types, too.
  if (graph.recorded || (is_as_declared(graph, settled) && !has_bodies(graph.main))) return settled;
  InputStates inputs;
  for (const ValueId input : graph.main.inputs)
    inputs.states.push_back({graph.values[input].declared, nullptr});
  try {
    return Evaluator(graph, std::move(inputs)).run();
  } catch (const Error&) {
    return settled;
  }
}

}  // namespace jouletree::model
