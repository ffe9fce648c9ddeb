#include "tree/used_constants.hpp"

namespace jouletree::tree {

std::vector<ValueId> used_constants(const Graph& graph, const Node& node) {
  std::vector<ValueId> used;
  const bool is_view = graph.recorded && node.placement == Placement::View;
  if (is_view || (node.phase != Phase::Forward && node.phase != Phase::Loss)) return used;
  for (const ValueId id : node.inputs) {
    if (id == kNoValue) continue;
    if (graph.values[id].constant) used.push_back(id);
    if (graph.values[id].view_of != kNoValue) used.push_back(graph.values[id].view_of);
  }
  return used;
}

}  // namespace jouletree::tree
