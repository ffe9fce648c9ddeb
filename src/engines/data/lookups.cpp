#include "engines/data/lookups.hpp"

#include <set>

namespace jouletree::engines {
namespace {

/// `same` are the values whose elements are those of the input.
void find_lookups(const Block& block, std::set<ValueId>& same, std::vector<LookupNode>& lookups) {
  for (const Node& node : block.nodes) {
    const auto reads = [&](std::size_t slot) {
      return slot < node.inputs.size() && same.count(node.inputs[slot]) > 0;
    };
    const model::OperatorFacts& facts = model::facts_of(node.domain, node.op);
    if (facts.keeps_values && reads(0) && !node.outputs.empty()) same.insert(node.outputs[0]);
    for (const model::Lookup& lookup : facts.lookups)
      if (reads(lookup.indices)) lookups.push_back({&node, &lookup});
    for (const Attribute& attribute : node.attributes)
      for (const auto& body : attribute.blocks) find_lookups(*body, same, lookups);
  }
}

}  // namespace

std::vector<LookupNode> lookups_of(const Graph& graph, ValueId input) {
  std::set<ValueId> same{input};
  std::vector<LookupNode> lookups;
  find_lookups(graph.main, same, lookups);
  return lookups;
}

}  // namespace jouletree::engines
