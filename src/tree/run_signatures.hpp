#pragma once

#include <string>
#include <vector>

#include "jouletree/tree_run.hpp"

namespace jouletree::tree {

/// operator_signature() of every operator of a run that counted_run() made of this tree, by node;
/// empty for modules.
[[nodiscard]] std::vector<std::string> run_signatures(const ModelTree& tree, const TreeRun& run);

}  // namespace jouletree::tree
