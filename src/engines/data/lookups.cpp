#include "engines/data/lookups.hpp"

#include <set>
#include <string_view>

namespace jouletree::engines {
namespace {

bool keeps_values(std::string_view op) {
  return op == "Cast" || op == "Identity" || op == "Reshape" || op == "Unsqueeze" ||
         op == "Squeeze" || op == "Flatten";
}

/// `same` are the values whose elements are those of the input.
void find_lookups(const Block& block, std::set<ValueId>& same, std::vector<const Node*>& lookups) {
  for (const Node& node : block.nodes) {
    const auto reads = [&](std::size_t slot) {
      return slot < node.inputs.size() && same.count(node.inputs[slot]) > 0;
    };
    if (keeps_values(node.op) && reads(0) && !node.outputs.empty()) same.insert(node.outputs[0]);
    if (node.op == "Gather" && reads(1)) lookups.push_back(&node);
    for (const Attribute& attribute : node.attributes)
      for (const auto& body : attribute.blocks) find_lookups(*body, same, lookups);
  }
}

}  // namespace

std::vector<const Node*> lookups_of(const Graph& graph, ValueId input) {
  std::set<ValueId> same{input};
  std::vector<const Node*> lookups;
  find_lookups(graph.main, same, lookups);
  return lookups;
}

}  // namespace jouletree::engines
