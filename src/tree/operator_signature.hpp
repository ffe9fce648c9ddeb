#pragma once

#include <string>

#include "jouletree/tree.hpp"

namespace jouletree::tree {

/// What a node computes on which shapes, as text: the same for a node of a file and for that of the
/// graph an engine makes of it, where only the layout in memory, names, or what is set to its
/// default differ. So measured operators are found for models that never ran. Keys of engines are
/// stricter: they tell what was run to the last bit.
[[nodiscard]] std::string operator_signature(const ModelTree& tree, const Node& node);

}  // namespace jouletree::tree
