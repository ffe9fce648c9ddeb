#pragma once

#include "jouletree/tree.hpp"

namespace jouletree::tree {

/// As build_tree() does it, with shapes and work that are known already.
[[nodiscard]] ModelTree counted_tree(std::shared_ptr<const Graph> graph, Inference inference);

}  // namespace jouletree::tree
