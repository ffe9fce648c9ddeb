#pragma once

#include <deque>
#include <list>
#include <memory>
#include <string_view>
#include <vector>

#include "jouletree/inference.hpp"

namespace jouletree::predict {

/// A node that is being rewritten.
struct EditedNode : Node {
  std::list<EditedNode*>::iterator place;
  double rank = 0;  ///< Grows in the order in which nodes run.
  bool removed = false;
};

/// A copy of a graph, with what is known about its values, for GraphEdit.
class EditedGraph {
 public:
  /// `open` is what holds whatever the sizes of open dimensions: an engine rewrites the graph
  /// before it knows them. `settled` holds for one size of each.
  EditedGraph(const Graph& graph, const Inference& settled, const Inference& open);

  /// Calls `edit` for every block, inner ones before those around them.
  template <class Edit>
  void for_each_block(const Edit& edit) {
    visit(graph_.main, edit);
  }

  /// With nodes numbered anew.
  [[nodiscard]] Graph finish() &&;

 private:
  friend class GraphEdit;

  template <class Edit>
  void visit(Block& block, const Edit& edit) {
    for (Node& node : block.nodes)
      for (Attribute& attribute : node.attributes)
        for (const auto& body : attribute.blocks) visit(*body, edit);
    edit(block);
  }

  /// What is known about a value, and who uses it in the block that is edited.
  struct Known {
    ValueType open;
    ValueType settled;
    std::shared_ptr<const Elements> content;
    bool is_constant = false;
    bool is_unreadable = false;  ///< A constant whose content turned out not to be there.
    bool is_output = false;
    EditedNode* producer = nullptr;
    std::vector<EditedNode*> readers{};  ///< Once per read.
  };

  Graph graph_;
  std::deque<Known> known_;  ///< By value; references to them stay valid.
};

}  // namespace jouletree::predict
