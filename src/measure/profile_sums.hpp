#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// Times and energies of operators, added up over the tree.
class ProfileSums {
 public:
  struct Sum {
    double seconds = 0;
    std::optional<double> joules = 0;
    std::optional<double> in_place_s = 0;
    std::int64_t known = 0;     ///< Operators that were measured alone.
    std::int64_t in_place = 0;  ///< Operators that are in the sum with their time in the model.
    std::int64_t unknown = 0;   ///< Operators without either: the sum is then a lower bound.
  };

  explicit ProfileSums(const Profile& profile);
  [[nodiscard]] const Sum& of(const TreeNode& node) const { return sums_.at(&node); }

 private:
  Sum add(const ModelTree& tree, const TreeNode& node,
          const std::vector<const UniqueOperator*>& by_node);

  std::unordered_map<const TreeNode*, Sum> sums_;
};

/// The node of the tree of each operator, by NodeId; null where the tree has none.
[[nodiscard]] std::vector<const TreeNode*> tree_nodes(const Profile& profile);

}  // namespace jouletree::measure
