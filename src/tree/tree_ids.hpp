#pragma once

#include <string>
#include <unordered_set>

#include "jouletree/tree.hpp"

namespace jouletree::tree {

/// Scopes and ids of nodes as tree files have them.
class TreeIds {
 public:
  explicit TreeIds(const ModelTree& tree);

  [[nodiscard]] static std::string scope_of(const TreeNode& node);
  /// Both branches of an If may hold nodes of one name; readers tell nodes apart by their ids.
  [[nodiscard]] std::string next(const std::string& scope);

 private:
  std::string prefix_;
  std::unordered_set<std::string> ids_;
};

}  // namespace jouletree::tree
