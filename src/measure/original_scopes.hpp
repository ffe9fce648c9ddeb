#pragma once

#include "jouletree/graph.hpp"

namespace jouletree {

/// Gives every node of the graph that an engine runs the modules of the original graph that it came
/// from. A fused operator stands for several nodes and belongs to the innermost module that holds
/// all of them.
void take_original_scopes(const Graph& original, Graph& optimised);

}  // namespace jouletree
