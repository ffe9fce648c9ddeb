#include "measure/data/lookups.hpp"

#include <algorithm>

namespace jouletree {

std::vector<const Node*> lookups_of(const Graph& graph, ValueId input) {
  std::vector<ValueId> same{input};
  std::vector<const Node*> lookups;
  for (const Node& node : graph.main.nodes) {
    const auto reads = [&](std::size_t slot) {
      return slot < node.inputs.size() &&
             std::find(same.begin(), same.end(), node.inputs[slot]) != same.end();
    };
    const bool keeps = node.op == "Cast" || node.op == "Identity" || node.op == "Reshape" ||
                       node.op == "Unsqueeze" || node.op == "Squeeze" || node.op == "Flatten";
    if (keeps && reads(0) && !node.outputs.empty()) same.push_back(node.outputs[0]);
    if (node.op == "Gather" && reads(1)) lookups.push_back(&node);
  }
  return lookups;
}

}  // namespace jouletree
