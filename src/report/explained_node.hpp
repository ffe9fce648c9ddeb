#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jouletree/predict.hpp"

namespace jouletree::report {

/// What the prediction of one node is made of.
struct ExplainedNode {
  std::vector<Explanation> lines;
  std::vector<std::string> warnings;  ///< What the reader of the lines must know.
};

/// `name` is an id or a scope of the runs, of which there is at least one. Uses no more than `most`
/// of what the data hold. Throws Error(BadInput) where there is no such node.
[[nodiscard]] ExplainedNode explain_node(const Predictor& predictor,
                                         const std::vector<TreeRun>& runs, const std::string& name,
                                         std::optional<FeatureSet> most);

}  // namespace jouletree::report
