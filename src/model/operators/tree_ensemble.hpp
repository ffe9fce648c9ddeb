#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

/// What evaluating all trees of an ensemble for one row takes at most.
struct TreeWork {
  Count comparisons;  ///< Branches on the longest way from each root to a leaf.
  Count additions;    ///< Weights at the fullest leaf of each tree.
};

/// Of TreeEnsembleClassifier and TreeEnsembleRegressor, whose tables list branches and leaves.
/// `votes` is "class" or "target". Fails the call where the tables do not describe trees.
[[nodiscard]] TreeWork work_of_listed_trees(const Call& call, const std::string& votes);
/// Of TreeEnsemble, whose tables list branches only.
[[nodiscard]] TreeWork work_of_branch_tables(const Call& call);

}  // namespace jouletree::model
