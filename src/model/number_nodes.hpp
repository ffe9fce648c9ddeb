#pragma once

#include "jouletree/graph.hpp"

namespace jouletree::model {

/// Gives all nodes, also those of nested blocks, their ids in order.
void number_nodes(Graph& graph);

}  // namespace jouletree::model
