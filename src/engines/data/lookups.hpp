#pragma once

#include <vector>

#include "jouletree/graph.hpp"

namespace jouletree::engines {

/// The Gather nodes whose indices are an input of the graph, directly or through operators that
/// keep its values, in the main graph and in all branches and loops.
[[nodiscard]] std::vector<const Node*> lookups_of(const Graph& graph, ValueId input);

}  // namespace jouletree::engines
