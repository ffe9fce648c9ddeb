#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// What the operators of one phase of a training step add up to below a node of the tree.
struct PhaseSum {
  double seconds = 0;
  std::optional<double> joules = 0;  ///< Nothing where one of them has none.
  std::int64_t operators = 0;
  std::int64_t in_place = 0;  ///< Of these, how many are known from inside the model only.
  std::int64_t unknown = 0;   ///< Operators that the sum lacks.
};

/// Sums by phase over the tree of a training step; nothing for a model that is only run forward.
class PhaseSums {
 public:
  explicit PhaseSums(const Profile& profile);
  [[nodiscard]] std::map<Phase, PhaseSum> of(const TreeNode& node) const;

 private:
  using Sums = std::map<Phase, PhaseSum>;
  Sums add(const ModelTree& tree, const TreeNode& node,
           const std::vector<const UniqueOperator*>& by_node);

  std::unordered_map<const TreeNode*, Sums> sums_;
};

}  // namespace jouletree::measure
