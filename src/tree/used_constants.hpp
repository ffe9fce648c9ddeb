#pragma once

#include "jouletree/graph.hpp"

namespace jouletree::tree {

/// Calls `use` for the stored tensors that belong to an operator: those that it computes with. One
/// that a recorded run only views on the way there belongs to whoever reads the view, and what a
/// training step does after its forward calls has none.
template <class Use>
void for_each_used_constant(const Graph& graph, const Node& node, const Use& use) {
  const bool is_view = graph.recorded && node.placement == Placement::View;
  if (is_view || (node.phase != Phase::Forward && node.phase != Phase::Loss)) return;
  for (const ValueId id : node.inputs) {
    if (id == kNoValue) continue;
    const GraphValue& value = graph.values[id];
    if (value.constant) use(id);
    if (value.view_of != kNoValue) use(value.view_of);
  }
}

}  // namespace jouletree::tree
