#include "scope_shares.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engines/onnxruntime/original_scopes.hpp"
#include "jouletree/tree.hpp"
#include "optimised_model.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

using MacsByModule = std::map<std::string, double>;

void collect(const TreeNode& node, std::size_t depth, std::vector<MacsByModule>& depths) {
  if (node.kind == TreeNodeKind::Operator) return;
  if (depths.size() <= depth) depths.resize(depth + 1);
  depths[depth][node.scope] = static_cast<double>(node.totals.macs.known());
  for (const TreeNode& child : node.children) collect(child, depth + 1, depths);
}

std::vector<MacsByModule> macs_by_depth(const ModelTree& tree) {
  std::vector<MacsByModule> depths;
  collect(tree.root, 0, depths);
  return depths;
}

DepthShare compare(std::size_t depth, const MacsByModule& file, const MacsByModule& engine) {
  DepthShare share;
  share.depth = depth;
  double all = 0;
  double same = 0;
  double largest = 0;
  for (const auto& [scope, macs] : file) {
    if (macs <= 0) continue;
    ++share.modules;
    const auto found = engine.find(scope);
    const double after = found == engine.end() ? 0 : found->second;
    all += macs;
    same += std::min(macs, after);
    if (std::abs(macs - after) <= largest) continue;
    largest = std::abs(macs - after);
    share.worst = fmt::format("{}: {} MACs in the file, {} in the engine", scope, macs, after);
  }
  share.macs = all > 0 ? same / all : 1;
  return share;
}

double bytes_of(const TreeNode& node) {
  return static_cast<double>(node.totals.bytes_moved().known());
}

/// What the engine adds for its own layout of memory is in no file.
bool is_change_of_layout(const TreeNode& node) {
  return node.operation->op == "ReorderInput" || node.operation->op == "ReorderOutput";
}

/// Operators that are children of the root, those that move most first.
std::vector<const TreeNode*> root_operators(const ModelTree& tree) {
  std::vector<const TreeNode*> operators;
  for (const TreeNode& child : tree.root.children)
    if (child.kind == TreeNodeKind::Operator && !is_change_of_layout(child))
      operators.push_back(&child);
  std::stable_sort(operators.begin(), operators.end(), [](const TreeNode* a, const TreeNode* b) {
    return bytes_of(*a) > bytes_of(*b);
  });
  return operators;
}

double bytes_at_the_root(const ModelTree& tree) {
  double bytes = 0;
  for (const TreeNode* const node : root_operators(tree)) bytes += bytes_of(*node);
  return bytes;
}

}  // namespace

ScopeShares scope_shares(const std::filesystem::path& model, const InputSettings& settings) {
  const ModelTree file = inspect_model(model, settings);
  const TempFolder temp;
  const auto optimised = temp.path() / "optimised.onnx";
  write_optimised_model(model, optimised);
  auto graph = std::make_shared<Graph>(read_onnx(optimised));
  engines::take_original_scopes(*file.graph, file.inference, *graph);
  const ModelTree engine = build_tree(std::move(graph), settings);
  ScopeShares shares;
  const std::vector<MacsByModule> before = macs_by_depth(file);
  std::vector<MacsByModule> after = macs_by_depth(engine);
  after.resize(std::max(after.size(), before.size()));
  for (std::size_t depth = 1; depth < before.size(); ++depth) {
    const DepthShare share = compare(depth, before[depth], after[depth]);
    if (share.modules > 0) shares.depths.push_back(share);
  }
  if (const double all = bytes_of(engine.root); all > 0) {
    shares.root_bytes_in_file = bytes_at_the_root(file) / all;
    shares.root_bytes_in_engine = bytes_at_the_root(engine) / all;
  }
  for (const TreeNode* const node : root_operators(engine))
    shares.at_the_root.push_back(fmt::format("{}: {} bytes", node->scope, bytes_of(*node)));
  return shares;
}

}  // namespace jouletree::test
