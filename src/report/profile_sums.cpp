#include "report/profile_sums.hpp"

namespace jouletree {
namespace {

const TreeNode* find(const TreeNode& node, NodeId id) {
  if (node.operation != nullptr && node.operation->id == id) return &node;
  for (const TreeNode& child : node.children)
    if (const TreeNode* found = find(child, id); found != nullptr) return found;
  return nullptr;
}

}  // namespace

ProfileSums::ProfileSums(const Profile& profile) { add(profile.tree.root, profile.by_node()); }

ProfileSums::Sum ProfileSums::add(const TreeNode& node,
                                  const std::vector<const UniqueOperator*>& by_node) {
  Sum sum;
  if (node.operation != nullptr) {
    const UniqueOperator* unique = by_node[node.operation->id];
    if (unique != nullptr && unique->measured && unique->measured->good()) {
      sum.seconds = unique->measured->seconds();
      sum.joules = unique->measured->joules();
    } else {
      sum.unknown = 1;
    }
  }
  for (const TreeNode& child : node.children) {
    const Sum part = add(child, by_node);
    // The body of an If or Loop is part of its own kernel.
    if (node.operation != nullptr) continue;
    sum.seconds += part.seconds;
    sum.unknown += part.unknown;
    if (sum.joules && part.joules) {
      *sum.joules += *part.joules;
    } else {
      sum.joules.reset();
    }
  }
  sums_[&node] = sum;
  return sum;
}

std::string first_scope(const Profile& profile, const UniqueOperator& unique) {
  const TreeNode* node = find(profile.tree.root, unique.nodes.at(0));
  return node == nullptr ? unique.key : node->scope;
}

}  // namespace jouletree
