#include "tree/tree_ids.hpp"

#include <fmt/format.h>

#include "tree/operator_details.hpp"

namespace jouletree::tree {

TreeIds::TreeIds(const ModelTree& tree) {
  const auto batch = batch_size(tree);
  const auto length = sequence_length(tree);
  prefix_ = fmt::format("{}|{}|{}|", tree.name, batch ? std::to_string(*batch) : "",
                        length ? std::to_string(*length) : "");
}

std::string TreeIds::scope_of(const TreeNode& node) {
  constexpr const char* kRoot = "root";
  return node.scope.empty() ? kRoot : fmt::format("{}.{}", kRoot, node.scope);
}

std::string TreeIds::next(const std::string& scope) {
  const std::string id = prefix_ + scope;
  std::string unique = id;
  for (int i = 2; !ids_.insert(unique).second; ++i) unique = fmt::format("{} ({})", id, i);
  return unique;
}

}  // namespace jouletree::tree
