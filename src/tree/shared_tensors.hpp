#pragma once

#include <string>
#include <vector>

#include "jouletree/tree.hpp"

namespace jouletree::tree {

/// Sentences about stored tensors that stand for several of the model, because their contents are
/// equal: how many, and the number of parameters if each is counted on its own. Tensors that
/// repeat one element (biases of 0, weights of norms of 1) were merged by the exporter; others are
/// tied. Empty where nothing is shared. `lacks_others`: the file has lost more than these, so that
/// the number is a lower bound.
[[nodiscard]] std::vector<std::string> shared_tensor_notes(const Graph& graph,
                                                           const Constants& constants,
                                                           std::int64_t params, bool lacks_others);

}  // namespace jouletree::tree
