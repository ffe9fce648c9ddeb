#include "measure/runs_of.hpp"

#include <algorithm>

namespace jouletree::measure {

double runs_of(const ModelTree& tree, NodeId node) {
  if (node >= tree.inference.nodes.size()) return 1;
  return static_cast<double>(tree.inference.nodes[node].runs.value_or(1));
}

double runs_of(const ModelTree& tree, const UniqueOperator& unique) {
  double runs = 0;
  for (const NodeId node : unique.nodes) runs += runs_of(tree, node);
  return runs;
}

bool holds_loops(const ModelTree& tree, const TreeNode& node) {
  if (node.operation != nullptr && runs_of(tree, node.operation->id) > 1) return true;
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const TreeNode& child) { return holds_loops(tree, child); });
}

}  // namespace jouletree::measure
