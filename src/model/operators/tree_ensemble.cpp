#include "model/operators/tree_ensemble.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace jouletree::model {
namespace {

constexpr std::size_t kLeaf = static_cast<std::size_t>(-1);

/// The nodes of all trees with the positions of their children; a leaf has none.
struct Branches {
  std::vector<std::size_t> when_true;
  std::vector<std::size_t> when_false;
  std::vector<bool> compares;
};

/// Longest ways to a leaf, found without recursion: a tree may be as deep as the file is long.
class Depths {
 public:
  Depths(const Call& call, const Branches& branches)
      : call_(call), branches_(branches), depth_(branches.compares.size(), kUnseen) {}

  std::int64_t from(std::size_t root) {
    open(root);
    while (!path_.empty()) {
      const std::size_t node = path_.back();
      if (branches_.compares[node]) {
        if (open(branches_.when_true[node]) || open(branches_.when_false[node])) continue;
        depth_[node] =
            1 + std::max(depth(branches_.when_true[node]), depth(branches_.when_false[node]));
      } else {
        depth_[node] = 0;
      }
      path_.pop_back();
    }
    return depth(root);
  }

 private:
  static constexpr std::int64_t kUnseen = -1;
  static constexpr std::int64_t kOnPath = -2;

  [[nodiscard]] std::int64_t depth(std::size_t node) const {
    return node == kLeaf ? 0 : depth_[node];
  }

  /// Goes on with `node` where its depth is not known yet.
  bool open(std::size_t node) {
    if (node == kLeaf || depth_[node] >= 0) return false;
    if (depth_[node] == kOnPath) call_.fail("a tree leads back to one of its own branches");
    depth_[node] = kOnPath;
    path_.push_back(node);
    return true;
  }

  const Call& call_;
  const Branches& branches_;
  std::vector<std::int64_t> depth_;
  std::vector<std::size_t> path_;
};

std::vector<std::int64_t> integers_of(const Call& call, const std::string& name,
                                      std::optional<std::size_t> length = std::nullopt) {
  auto values = call.attribute_integers(name).value_or(std::vector<std::int64_t>{});
  if (length && values.size() != *length) {
    call.fail(fmt::format("its attribute '{}' has {} elements instead of {}", name, values.size(),
                          *length));
  }
  return values;
}

using TreeNode = std::pair<std::int64_t, std::int64_t>;  // Ids of a tree and of a node in it.

/// Adds up, over all trees, how many weights stand at the leaf that has the most.
Count fullest_leaves(const Call& call, const std::string& votes) {
  const auto trees = integers_of(call, votes + "_treeids");
  const auto nodes = integers_of(call, votes + "_nodeids", trees.size());
  std::vector<TreeNode> leaves;
  leaves.reserve(trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) leaves.emplace_back(trees[i], nodes[i]);
  std::sort(leaves.begin(), leaves.end());
  Count total = 0;
  std::int64_t here = 0;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    here = i > 0 && leaves[i] == leaves[i - 1] ? here + 1 : 1;
    most = std::max(most, here);
    if (i + 1 < leaves.size() && leaves[i + 1].first == leaves[i].first) continue;
    total += most;
    most = 0;
  }
  return total;
}

/// Finds the position of a node in the tables by its ids.
class NodeIndex {
 public:
  NodeIndex(const std::vector<std::int64_t>& trees, const std::vector<std::int64_t>& nodes) {
    entries_.reserve(trees.size());
    for (std::size_t i = 0; i < trees.size(); ++i) entries_.push_back({{trees[i], nodes[i]}, i});
    std::sort(entries_.begin(), entries_.end());
  }

  [[nodiscard]] std::optional<std::size_t> find(TreeNode wanted) const {
    const auto found =
        std::lower_bound(entries_.begin(), entries_.end(), std::pair(wanted, std::size_t{0}));
    if (found == entries_.end() || found->first != wanted) return std::nullopt;
    return found->second;
  }

 private:
  std::vector<std::pair<TreeNode, std::size_t>> entries_;
};

}  // namespace

TreeWork work_of_listed_trees(const Call& call, const std::string& votes) {
  const auto trees = integers_of(call, "nodes_treeids");
  const auto nodes = integers_of(call, "nodes_nodeids", trees.size());
  const auto when_true = integers_of(call, "nodes_truenodeids", trees.size());
  const auto when_false = integers_of(call, "nodes_falsenodeids", trees.size());
  const Attribute* modes = call.node().attribute("nodes_modes");
  if (!trees.empty() && (modes == nullptr || modes->texts.size() != trees.size()))
    call.fail("its attribute 'nodes_modes' does not name the mode of every node");

  const NodeIndex index(trees, nodes);
  const auto find = [&](std::int64_t tree, std::int64_t node) {
    const auto found = index.find({tree, node});
    if (!found)
      call.fail(fmt::format("tree {} has no node {}, but a branch leads there", tree, node));
    return *found;
  };
  Branches branches;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const bool leaf = modes->texts[i] == "LEAF";
    branches.compares.push_back(!leaf);
    branches.when_true.push_back(leaf ? kLeaf : find(trees[i], when_true[i]));
    branches.when_false.push_back(leaf ? kLeaf : find(trees[i], when_false[i]));
  }
  Depths depths(call, branches);
  std::unordered_map<std::int64_t, std::int64_t> deepest;
  // The root is nobody's child, so it is the deepest node of its tree.
  for (std::size_t i = 0; i < trees.size(); ++i) {
    std::int64_t& depth = deepest[trees[i]];
    depth = std::max(depth, depths.from(i));
  }
  TreeWork work{0, fullest_leaves(call, votes)};
  for (const auto& [tree, depth] : deepest) work.comparisons += depth;
  return work;
}

TreeWork work_of_branch_tables(const Call& call) {
  const auto roots = integers_of(call, "tree_roots");
  const auto when_true = integers_of(call, "nodes_truenodeids");
  const std::size_t count = when_true.size();
  const auto when_false = integers_of(call, "nodes_falsenodeids", count);
  const auto true_leafs = integers_of(call, "nodes_trueleafs", count);
  const auto false_leafs = integers_of(call, "nodes_falseleafs", count);

  const auto branch = [&](std::int64_t node) {
    if (node < 0 || node >= static_cast<std::int64_t>(count))
      call.fail(fmt::format("a tree leads to branch {}, but there are {}", node, count));
    return static_cast<std::size_t>(node);
  };
  Branches branches;
  branches.compares.assign(count, true);
  for (std::size_t i = 0; i < count; ++i) {
    branches.when_true.push_back(true_leafs[i] != 0 ? kLeaf : branch(when_true[i]));
    branches.when_false.push_back(false_leafs[i] != 0 ? kLeaf : branch(when_false[i]));
  }
  Depths depths(call, branches);
  TreeWork work{0, static_cast<std::int64_t>(roots.size())};
  for (const std::int64_t root : roots) work.comparisons += depths.from(branch(root));
  return work;
}

}  // namespace jouletree::model
