#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "jouletree/tree_files.hpp"
#include "measure/profile.hpp"

namespace jouletree {

/// Times and energies of operators, added up over the tree.
class ProfileSums {
 public:
  struct Sum {
    double seconds = 0;
    std::optional<double> joules = 0;
    std::int64_t unknown = 0;  ///< Operators without a measurement.
  };

  explicit ProfileSums(const Profile& profile);
  [[nodiscard]] const Sum& of(const TreeNode& node) const { return sums_.at(&node); }

 private:
  Sum add(const TreeNode& node, const std::vector<const UniqueOperator*>& by_node);

  std::unordered_map<const TreeNode*, Sum> sums_;
};

/// Time and energy of a node as far as they are known: the model and its modules measured as a
/// whole, operators alone.
[[nodiscard]] FiguresOf figures_of(const Profile& profile);

/// The scope of the first node of an operator, and what it is.
[[nodiscard]] std::string first_scope(const Profile& profile, const UniqueOperator& unique);

}  // namespace jouletree
