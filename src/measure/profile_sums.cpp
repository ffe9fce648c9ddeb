#include "measure/profile_sums.hpp"

#include "measure/runs_of.hpp"

namespace jouletree::measure {
namespace {

void add_part(const std::optional<double>& part, std::optional<double>& sum) {
  if (sum && part) {
    *sum += *part;
  } else {
    sum.reset();
  }
}

void list(const TreeNode& node, std::vector<const TreeNode*>& nodes) {
  if (node.operation != nullptr) nodes[node.operation->id] = &node;
  for (const TreeNode& child : node.children) list(child, nodes);
}

}  // namespace

ProfileSums::ProfileSums(const Profile& profile) {
  add(profile.tree, profile.tree.root, profile.by_node());
}

ProfileSums::Sum ProfileSums::add(const ModelTree& tree, const TreeNode& node,
                                  const std::vector<const UniqueOperator*>& by_node) {
  Sum sum;
  if (node.operation != nullptr) {
    const UniqueOperator* unique = by_node[node.operation->id];
    const double runs = runs_of(tree, node.operation->id);
    sum.in_place_s = unique != nullptr ? unique->in_place_s : std::nullopt;
    if (sum.in_place_s) *sum.in_place_s *= runs;
    if (unique != nullptr && unique->is_measured_alone()) {
      sum.seconds = unique->measured->seconds() * runs;
      sum.joules = unique->measured->joules();
      if (sum.joules) *sum.joules *= runs;
      sum.known = 1;
    } else {
      sum.joules.reset();
      sum.seconds = sum.in_place_s.value_or(0);
      (sum.in_place_s ? sum.in_place : sum.unknown) = 1;
    }
  }
  for (const TreeNode& child : node.children) {
    const Sum part = add(tree, child, by_node);
    // The body of an If or Loop is part of its own kernel.
    if (node.operation != nullptr) continue;
    sum.seconds += part.seconds;
    sum.known += part.known;
    sum.in_place += part.in_place;
    sum.unknown += part.unknown;
    add_part(part.joules, sum.joules);
    add_part(part.in_place_s, sum.in_place_s);
  }
  sums_[&node] = sum;
  return sum;
}

std::vector<const TreeNode*> tree_nodes(const Profile& profile) {
  std::vector<const TreeNode*> nodes(profile.tree.graph->node_count, nullptr);
  list(profile.tree.root, nodes);
  return nodes;
}

}  // namespace jouletree::measure
