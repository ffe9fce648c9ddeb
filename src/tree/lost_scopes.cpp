#include "tree/lost_scopes.hpp"

#include <algorithm>
#include <optional>

namespace jouletree::tree {
namespace {

using Modules = std::vector<ScopeStep>;
using MaybeModules = std::optional<Modules>;

/// What both are in; an unknown one does not count.
MaybeModules common(const MaybeModules& left, const MaybeModules& right) {
  if (!left || !right) return left ? left : right;
  const auto end =
      std::mismatch(left->begin(), left->end(), right->begin(), right->end(),
                    [](const ScopeStep& a, const ScopeStep& b) { return a.name == b.name; });
  return Modules(left->begin(), end.first);
}

/// Where most nodes say nothing, names mean something else, or nothing.
bool has_lost(const Block& block) {
  const auto told =
      static_cast<std::size_t>(std::count_if(block.nodes.begin(), block.nodes.end(), tells_scope));
  return told < block.nodes.size() && 2 * told >= block.nodes.size();
}

/// The nodes of one block, with those that read and write what they write and read.
class Neighbours {
 public:
  explicit Neighbours(const Block& block) : nodes_(block.nodes), told_(nodes_.size()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const ValueId id : nodes_[i].outputs)
        if (id != kNoValue) writers_[id] = i;
      if (tells_scope(nodes_[i])) told_[i] = scope_of(nodes_[i]).modules;
    }
  }

  /// By position; nothing for nodes that tell of themselves, and for those without neighbours.
  [[nodiscard]] std::vector<MaybeModules> found() const {
    std::vector<MaybeModules> before = told_;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const std::size_t writer : writers_of(i))
        if (!told_[i]) before[i] = common(before[i], before[writer]);
    }
    std::vector<MaybeModules> behind = told_;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      for (const std::size_t writer : writers_of(i))
        if (!told_[writer]) behind[writer] = common(behind[writer], behind[i]);
    }
    std::vector<MaybeModules> found(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (!told_[i]) found[i] = common(before[i], behind[i]);
    return found;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> writers_of(std::size_t reader) const {
    std::vector<std::size_t> writers;
    for (const ValueId id : nodes_[reader].inputs) {
      const auto writer = id == kNoValue ? writers_.end() : writers_.find(id);
      if (writer != writers_.end() && writer->second < reader) writers.push_back(writer->second);
    }
    return writers;
  }

  const std::vector<Node>& nodes_;
  std::vector<MaybeModules> told_;
  std::unordered_map<ValueId, std::size_t> writers_;
};

}  // namespace

Scopes::Scopes(const Graph& graph) {
  // What an engine ran or made has been put into modules already, and outside of them on purpose.
  const bool settled = std::any_of(graph.main.nodes.begin(), graph.main.nodes.end(),
                                   [](const Node& node) { return !node.modules.empty(); });
  if (!settled) find_lost(graph.main);
}

void Scopes::find_lost(const Block& block) {
  for (const Node& node : block.nodes) {
    for (const Attribute& attribute : node.attributes)
      for (const auto& nested : attribute.blocks) find_lost(*nested);
  }
  if (!has_lost(block)) return;
  std::vector<MaybeModules> found = Neighbours(block).found();
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] && !found[i]->empty()) found_.emplace(block.nodes[i].id, std::move(*found[i]));
}

Scope Scopes::of(const Node& node) const {
  Scope scope = scope_of(node);
  if (const auto found = found_.find(node.id); found != found_.end()) scope.modules = found->second;
  return scope;
}

}  // namespace jouletree::tree
