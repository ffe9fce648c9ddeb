#include "tree/run_signatures.hpp"

#include <algorithm>

#include "tree/operator_signature.hpp"

namespace jouletree::tree {
namespace {

/// Both trees have the same shape.
void add_below(const ModelTree& tree, const TreeNode& node, const TreeRun& run, std::size_t place,
               std::vector<std::string>& signatures) {
  if (node.kind == TreeNodeKind::Operator && node.operation != nullptr)
    signatures[place] = operator_signature(tree, *node.operation);
  const std::vector<std::size_t>& children = run.nodes[place].children;
  const std::size_t count = std::min(children.size(), node.children.size());
  for (std::size_t i = 0; i < count; ++i)
    add_below(tree, node.children[i], run, children[i], signatures);
}

}  // namespace

std::vector<std::string> run_signatures(const ModelTree& tree, const TreeRun& run) {
  std::vector<std::string> signatures(run.nodes.size());
  if (!run.nodes.empty()) add_below(tree, tree.root, run, 0, signatures);
  return signatures;
}

}  // namespace jouletree::tree
