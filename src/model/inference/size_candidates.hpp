#pragma once

#include <vector>

#include "model/inference/evaluator.hpp"

namespace jouletree::model {

/// Sizes of the operands of a node, and elements of small ones. Of a convolution only the channels
/// that its weights demand: kernels say no more about a signal than that it is longer.
[[nodiscard]] std::vector<Dim> numbers_of(Evaluator& evaluator, const Node& node);

/// Sizes worth trying for a dimension of size `now`, because of the numbers that the failing node
/// deals with: sizes of its operands, elements of small ones, and what makes them agree if they
/// grow with the dimension.
[[nodiscard]] std::vector<Dim> sizes_for(Evaluator& evaluator, const Node& failed, Dim now);

}  // namespace jouletree::model
