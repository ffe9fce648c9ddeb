#pragma once

#include "measure/profile.hpp"

namespace jouletree::measure {

/// How often an operator runs in one run of the model: more than once in a loop.
[[nodiscard]] double runs_of(const ModelTree& tree, NodeId node);
/// All nodes of the operator together.
[[nodiscard]] double runs_of(const ModelTree& tree, const UniqueOperator& unique);
/// Whether an operator in or below the node is in a loop.
[[nodiscard]] bool holds_loops(const ModelTree& tree, const TreeNode& node);

}  // namespace jouletree::measure
