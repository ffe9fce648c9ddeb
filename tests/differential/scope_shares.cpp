#include "scope_shares.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engines/onnxruntime/original_parts.hpp"
#include "engines/onnxruntime/original_scopes.hpp"
#include "jouletree/tree.hpp"
#include "optimised_model.hpp"
#include "support/temp_folder.hpp"
#include "tree/scope.hpp"

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
  for (const TreeNode& child : tree.root.children) {
    if (child.kind == TreeNodeKind::Operator && !is_change_of_layout(child))
      operators.push_back(&child);
  }
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

/// Engines put words before or behind the name of the node or value that they replace.
class NamesOfTheFile {
 public:
  explicit NamesOfTheFile(const Graph& graph) {
    for (const Node& node : graph.main.nodes) {
      if (!node.name.empty()) nodes_.emplace(node.name, &node);
      for (const ValueId id : node.outputs)
        if (id != kNoValue) nodes_.emplace(graph.values[id].name, &node);
    }
  }

  /// Null where the name says nothing.
  [[nodiscard]] const Node* node_in(std::string_view name) const {
    while (!name.empty()) {
      if (const auto found = nodes_.find(name); found != nodes_.end()) return found->second;
      const std::size_t cut = name.find_last_of("_/ ");
      if (cut == std::string_view::npos) break;
      name = name.substr(0, cut);
    }
    return nullptr;
  }

 private:
  std::map<std::string_view, const Node*> nodes_;
};

std::string module_of(const Node& node) {
  std::string path;
  for (const tree::ScopeStep& step : tree::scope_of(node).modules) path += "/" + step.name;
  return path;
}

/// Nodes of the engine that are named after a node whose module is that of none of their parts.
std::vector<std::string> misplaced_nodes(const Graph& file, const Graph& engine) {
  const NamesOfTheFile names(file);
  const engines::OriginalParts originals(file, engine);
  std::vector<std::string> misplaced;
  for (const Node& node : engine.main.nodes) {
    const Node* const named = names.node_in(node.name);
    if (named == nullptr || node.outputs.empty()) continue;
    const std::vector<const Node*> parts = originals.of(node);
    const auto is_there = [&](const Node* part) { return module_of(*part) == module_of(*named); };
    if (std::any_of(parts.begin(), parts.end(), is_there)) continue;
    misplaced.push_back(fmt::format("{} ({}) stands for {}", node.name, node.op,
                                    parts.empty() ? "nothing" : parts.back()->name));
  }
  return misplaced;
}

}  // namespace

ScopeShares scope_shares(const std::filesystem::path& model, const InputSettings& settings) {
  const ModelTree file = inspect_model(model, settings);
  const TempFolder temp;
  const auto optimised = temp.path() / "optimised.onnx";
  write_optimised_model(model, optimised);
  auto graph = std::make_shared<Graph>(read_onnx(optimised));
  ScopeShares shares;
  shares.nodes = graph->main.nodes.size();
  shares.misplaced = misplaced_nodes(*file.graph, *graph);
  engines::take_original_scopes(*file.graph, file.inference, *graph);
  const ModelTree engine = build_tree(std::move(graph), settings);
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
