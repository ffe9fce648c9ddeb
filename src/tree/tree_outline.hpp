#pragma once

#include <deque>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_index.hpp"
#include "jouletree/tree.hpp"
#include "tree/lost_scopes.hpp"

namespace jouletree::tree {

inline constexpr std::size_t kNoDraft = std::numeric_limits<std::size_t>::max();

/// A node of the tree while it grows: what is needed to make the node and its children.
struct Draft {
  TreeNodeKind kind = TreeNodeKind::Module;
  int level = 0;
  std::string_view type;            ///< Lasts as long as graph and outline.
  const Node* operation = nullptr;  ///< As that of the node.
  std::size_t parent = kNoDraft;
  std::size_t first_child = kNoDraft;
  std::size_t last_child = kNoDraft;
  std::size_t next = kNoDraft;  ///< Child of the same parent.
  std::size_t children = 0;
};

/// Which nodes a tree has and where they belong: what can be told from the graph before its sizes
/// are known. Movable, not copyable.
class TreeOutline {
 public:
  explicit TreeOutline(const Graph& graph);
  TreeOutline(TreeOutline&&) = default;
  TreeOutline& operator=(TreeOutline&&) = default;
  TreeOutline(const TreeOutline&) = delete;
  TreeOutline& operator=(const TreeOutline&) = delete;
  ~TreeOutline() = default;

  /// Parameters that no operator reads stand in the module that their name tells of.
  void add_idle_parameters(const Graph& graph, const Constants& constants);

  /// The root is the first, and every other stands behind its parent.
  [[nodiscard]] const std::vector<Draft>& drafts() const { return drafts_; }
  /// Hands over the scope of a draft.
  [[nodiscard]] std::string take_scope(std::size_t draft) { return std::move(scopes_[draft]); }
  /// What the file states about a module; null where it says nothing.
  [[nodiscard]] const StatedModule* stated(std::size_t draft) const;
  /// Those of a module that no operator reads.
  [[nodiscard]] const std::vector<ValueId>& idle_parameters(std::size_t draft) const;

 private:
  void add_stated_modules(const Graph& graph);
  void add_block(const Scopes& places, const Block& block, std::size_t parent,
                 const std::vector<ScopeStep>& around);
  /// Adds a node of the main block whose name tells its module, as most do; false for others.
  bool add_plain(const Node& node);
  std::size_t module(std::size_t parent, const ScopeStep& step);
  std::size_t add_operator(std::size_t parent, const Node& node, std::string_view leaf);
  Draft& add_draft(std::size_t parent, std::string scope);

  std::vector<Draft> drafts_;
  /// By draft. They stay where they are, so that they can be looked up.
  std::deque<std::string> scopes_;
  std::deque<std::string> types_;                      ///< Of modules.
  std::map<std::size_t, std::vector<ValueId>> idle_;   ///< Parameters that nobody reads, by draft.
  std::map<std::size_t, const StatedModule*> stated_;  ///< By draft.
  TextIndex modules_;                                  ///< Drafts by scope.
  TextIndex by_path_;            ///< Drafts by the path in the names of their nodes.
  std::string_view last_path_;   ///< Of those, the one that was looked up last.
  std::size_t last_module_ = 0;  ///< Its draft.
  TextIndex names_;              ///< How many operators have a scope, by the first of them.
};

}  // namespace jouletree::tree
