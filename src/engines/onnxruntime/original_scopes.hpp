#pragma once

#include "jouletree/graph.hpp"
#include "jouletree/inference.hpp"

namespace jouletree::engines {

/// Gives every node of the graph that an engine runs the modules of the original graph that it came
/// from. A fused operator stands for several nodes: it belongs to the innermost module with more
/// than half of their floating-point operations, and where there are none to the innermost module
/// that holds all of them. What only changes the form of a value belongs to those around it.
void take_original_scopes(const Graph& original, const Inference& counted, Graph& optimised);

}  // namespace jouletree::engines
