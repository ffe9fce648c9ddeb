#pragma once

#include <vector>

#include "jouletree/graph.hpp"

namespace jouletree::tree {

/// The stored tensors that belong to an operator: those that it computes with. One that a recorded
/// run only views on the way there belongs to whoever reads the view, and what a training step does
/// after its forward calls has none.
[[nodiscard]] std::vector<ValueId> used_constants(const Graph& graph, const Node& node);

}  // namespace jouletree::tree
