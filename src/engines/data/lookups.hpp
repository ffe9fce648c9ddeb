#pragma once

#include <vector>

#include "jouletree/graph.hpp"
#include "model/operators/table.hpp"

namespace jouletree::engines {

/// A node that looks up a table, and by which of its inputs.
struct LookupNode {
  const Node* node = nullptr;
  const model::Lookup* lookup = nullptr;
};

/// All lookups whose indices are an input of the graph, directly or through operators that keep its
/// values, in the main graph and in all branches and loops.
[[nodiscard]] std::vector<LookupNode> lookups_of(const Graph& graph, ValueId input);

}  // namespace jouletree::engines
