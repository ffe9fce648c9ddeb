#pragma once

#include <string>
#include <vector>

#include "jouletree/tree.hpp"

namespace jouletree::tree {

/// Stored tensors that stand for several of the model, because their contents are equal. Those that
/// repeat one element (biases of 0, weights of norms of 1) were merged by the exporter; others are
/// tied.
struct SharedTensors {
  std::int64_t merged = 0;  ///< Tensors of the model that are not in the file.
  std::int64_t tied = 0;
  Count merged_elements = 0;
  Count tied_elements = 0;
  bool may_be_more = false;  ///< A module may hold several tensors of equal content.
};

[[nodiscard]] SharedTensors shared_tensors(const Graph& graph, const Constants& constants);

/// Sentences about them: how many, and the number of parameters if each is counted on its own.
/// `params` are those of the file. Empty where nothing is shared. `lacks_others`: the file has lost
/// more than these, so that the number is a lower bound.
[[nodiscard]] std::vector<std::string> shared_tensor_notes(const SharedTensors& shared,
                                                           std::int64_t params, bool lacks_others);

}  // namespace jouletree::tree
