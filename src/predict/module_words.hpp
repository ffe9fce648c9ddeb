#pragma once

#include <vector>

#include "predict/trained_ranges.hpp"

namespace jouletree::predict {

/// Where the cost of a node stands in a run that tells of the same work in other words.
struct ToldBy {
  enum class How {
    Itself,   ///< The node of the told run does the same work.
    Within,   ///< Part of that node's work, and none of its cost: a bias, a view.
    Between,  ///< Some of what that module adds to its parts.
  };
  std::size_t node = 0;  ///< Of the told run.
  How how = How::Itself;
  double share = 1;  ///< Between: of what the module adds.
};

/// A run in the words of the training data.
struct ToldRun {
  TreeRun run;
  std::vector<ToldBy> nodes;  ///< By node of the original.
};

/// The same tree; each operator carries the name that the training data have for its work.
[[nodiscard]] ToldRun in_trained_words(const TreeRun& run, const TrainedRanges& ranges);

/// A run of single operators as IrEne's trees would tell of it: linear layers, normalisation,
/// embeddings and the products and softmax of attention are operators, with operations and bytes as
/// counted there. Arithmetic between them belongs to the module around it, as bytes beyond those of
/// its parts; what only moves or views data is not told at all.
[[nodiscard]] ToldRun in_module_words(const TreeRun& run, const TrainedRanges& ranges);

}  // namespace jouletree::predict
