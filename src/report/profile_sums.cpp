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

FiguresOf figures_of(const Profile& profile) {
  return [&profile, by_node = profile.by_node()](const TreeNode& node) {
    const Measured* found = nullptr;
    if (node.kind == TreeNodeKind::Model) {
      found = &profile.whole;
    } else if (node.operation != nullptr) {
      const UniqueOperator* unique = by_node[node.operation->id];
      if (unique != nullptr && unique->measured) found = &*unique->measured;
    } else if (const auto module = profile.modules.find(node.scope);
               module != profile.modules.end()) {
      found = &module->second;
    }
    NodeFigures figures;
    if (found == nullptr || !found->good()) return figures;
    figures.time_s = found->seconds();
    figures.energy_j = found->joules();
    if (found->energy) figures.energy_provenance = found->energy->provenance;
    return figures;
  };
}

std::string first_scope(const Profile& profile, const UniqueOperator& unique) {
  const TreeNode* node = find(profile.tree.root, unique.nodes.at(0));
  return node == nullptr ? unique.key : node->scope;
}

}  // namespace jouletree
