#pragma once

#include "predict/fusion/permutation.hpp"

namespace jouletree::predict {

// What a node reads and makes, in another order of axes.

/// The input in that order: of a stored tensor another one, of a Transpose what it reads, if both
/// cancel, else the result of a Transpose.
void transpose_input(GraphEdit& edit, Node& node, std::size_t index, const Permutation& order);
/// The node makes its results in another order; Transposes behind it, in this order, undo it.
void transpose_outputs(GraphEdit& edit, Node& node, const Permutation& order);
/// The input with new axes of size 1 in front, so that it has this rank. False, with nothing done,
/// where it has more axes or nobody knows how many.
[[nodiscard]] bool raise_rank(GraphEdit& edit, Node& node, std::size_t index, std::size_t rank);
/// The stored tensor that the input is, or is dequantised from for this node alone; else kNoValue.
[[nodiscard]] ValueId stored_source(const GraphEdit& edit, ValueId value);

}  // namespace jouletree::predict
