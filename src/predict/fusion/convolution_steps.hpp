#pragma once

#include "predict/fusion/graph_edit.hpp"

namespace jouletree::predict {

/// A convolution, also one that took in others.
[[nodiscard]] bool is_convolution(const Node* node);
/// Its channels fit into blocks.
[[nodiscard]] bool is_blockable(const GraphEdit& edit, const Node& convolution);
[[nodiscard]] std::int64_t groups_of(const Node& convolution);

/// The sum in which the result of this convolution is one of two of the same size, and nowhere else
/// read; null where it cannot be added while results are still at hand.
[[nodiscard]] Node* sum_to_take_in(GraphEdit& edit, const Node& convolution);
/// Gives the one operator for both.
Node& take_in_sum(GraphEdit& edit, Node& convolution, Node& sum);
/// Does nothing where the next operator is no activation that is taken in.
void take_in_activation(GraphEdit& edit, Node& convolution);

}  // namespace jouletree::predict
