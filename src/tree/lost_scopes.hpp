#pragma once

#include <unordered_map>
#include <vector>

#include "tree/scope.hpp"

namespace jouletree::tree {

/// Where the nodes of a graph belong. Exporters and optimisers put nodes into a file without a word
/// about their module: each of these stands in the innermost module that holds all its neighbours.
class Scopes {
 public:
  explicit Scopes(const Graph& graph);

  /// Of a node of the graph.
  [[nodiscard]] Scope of(const Node& node) const;
  /// Whether its neighbours tell, and not the file.
  [[nodiscard]] bool was_lost(const Node& node) const { return found_.contains(node.id); }

 private:
  void find_lost(const Block& block);

  std::unordered_map<NodeId, std::vector<ScopeStep>> found_;
};

}  // namespace jouletree::tree
