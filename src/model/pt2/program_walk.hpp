#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/pt2/module_stack.hpp"
#include "model/pt2/value_scope.hpp"

namespace jouletree::model::pt2 {

/// Turns the nodes of graphs into calls, in their order.
class ProgramWalk {
 public:
  using Calls = std::vector<runtime::RecordedCall>;
  using Path = std::vector<runtime::RecordedModule>;

  ProgramWalk(SizeTable& sizes, Numbering& numbers) : sizes_(sizes), numbers_(numbers) {}

  /// Adds the calls of all nodes; `around` is the path of nodes that have none.
  void walk(const dom::object& graph, ValueScope& scope, const Path& around, Calls& into);
  /// The tensors that a graph or the signature of the program gives back.
  [[nodiscard]] static std::vector<runtime::Argument> outputs(const dom::array& outputs,
                                                              const ValueScope& scope);

 private:
  /// A node, as far as all kinds of nodes are alike.
  struct NodeParts {
    dom::object node;
    std::string place;  ///< Names it in errors: "node 3 (aten::relu)".
    std::string op;     ///< "aten::relu"
    std::string overload;
    dom::array inputs;
    Path path;
  };
  /// An argument that is a graph, and what the others are.
  struct GraphCall;

  [[nodiscard]] NodeParts parts_of(const dom::object& node, std::size_t index,
                                   const Path& around) const;
  /// Makes it a node of another operator: "torch.ops.aten.relu.default".
  static void name_operator(std::string_view target, NodeParts& parts);
  void collect_types(const dom::object& graph);
  void add_call(const NodeParts& parts, ValueScope& scope, Calls& into) const;

  // Operators that run graphs.
  void add_graph_call(const NodeParts& parts, ValueScope& scope, Calls& into);
  void add_choice(const NodeParts& parts, const GraphCall& given, ValueScope& scope, Calls& into);
  void add_loop(const NodeParts& parts, const GraphCall& given, ValueScope& scope, Calls& into);
  void add_inlined(const NodeParts& parts, const GraphCall& given, ValueScope& scope, Calls& into);
  /// The first `fresh` inputs of the graph are new tensors, the others are operands.
  [[nodiscard]] runtime::RecordedBody body_of(const NodeParts& parts, const dom::object& graph,
                                              const std::vector<runtime::Argument>& operands,
                                              std::size_t fresh);

  SizeTable& sizes_;
  Numbering& numbers_;
  ModulePaths paths_;
  int nested_ = 0;
};

/// Names of the tensors that a node gives, in order.
[[nodiscard]] std::vector<std::string_view> output_names(const dom::object& node,
                                                         std::string_view place);

}  // namespace jouletree::model::pt2
