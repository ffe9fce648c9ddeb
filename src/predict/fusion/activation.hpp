#pragma once

#include "predict/fusion/graph_edit.hpp"

namespace jouletree::predict {

/// The engine's convolutions and products can apply it to their results on the way out.
[[nodiscard]] bool is_fused_activation(GraphEdit& edit, const Node* node);
void mark_activation(Node& node, std::string_view activation);
/// Does nothing where the next operator is no activation that a convolution takes in.
void take_in_activation(GraphEdit& edit, Node& convolution);

}  // namespace jouletree::predict
