#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "jouletree/inference.hpp"

namespace jouletree::predict {

/// The main block of a graph, being rewritten. Nodes keep their places until finish(), so pointers
/// to them stay valid; what is removed is skipped.
class GraphEdit {
 public:
  GraphEdit(const Graph& graph, const Inference& inference);

  /// Those that are left, in execution order.
  [[nodiscard]] std::vector<Node*> nodes();
  [[nodiscard]] bool is_removed(const Node& node) const;

  /// Null for inputs of the graph, constants and what a nested block makes.
  [[nodiscard]] Node* producer(ValueId value);
  /// The producer where it is such an operator of the standard or the given domain, else null.
  [[nodiscard]] Node* producer(ValueId value, std::string_view op);
  /// The one node that reads the value, once; null where others do or the graph gives it out.
  [[nodiscard]] Node* only_reader(ValueId value);
  [[nodiscard]] std::vector<Node*> readers(ValueId value);
  [[nodiscard]] bool is_graph_output(ValueId value) const;

  [[nodiscard]] bool is_constant(ValueId value) const;
  /// Of a constant with one known element.
  [[nodiscard]] std::optional<double> scalar(ValueId value) const;
  /// Nothing where the rank is unknown.
  [[nodiscard]] const std::optional<Dims>& dims(ValueId value) const;
  [[nodiscard]] DataType type(ValueId value) const;
  /// Content that follows from the graph alone.
  [[nodiscard]] const Elements* content(ValueId value) const;

  void remove(Node& node);
  /// Every reader of `from` reads `to` instead.
  void redirect(ValueId from, ValueId to);
  /// The value is from now on stored in the model.
  void make_constant(ValueId value);
  void set_inputs(Node& node, std::vector<ValueId> inputs);
  /// One kernel for all members: it stands where the last of them stood, so that all it reads has
  /// been made, and takes name and modules of `main`. Gives the node in its place.
  Node& merge(std::initializer_list<Node*> members, const Node& main, std::string_view op,
              std::vector<ValueId> inputs);

  /// A node before `reader` whose result is not followed: what it costs is all that matters.
  void add_side_node(const Node& reader, std::string_view op, std::string_view domain,
                     ValueId input, std::vector<Attribute> attributes);

  /// Without what was removed and what nobody reads any more.
  [[nodiscard]] Graph finish() &&;

 private:
  void add_reads(const Node& node);
  void drop_reads(const Node& node);
  void remove_unread();
  void store(const Elements& elements, StoredTensor& tensor);
  [[nodiscard]] std::size_t place(const Node& node) const;

  struct SideNode {
    std::size_t place = 0;
    Node node;
  };

  Graph graph_;
  std::vector<SideNode> side_nodes_;
  const Inference& inference_;
  std::vector<char> removed_;                      ///< By place in the main block.
  std::vector<std::size_t> producers_;             ///< By value; the number of nodes for none.
  std::vector<std::vector<std::size_t>> readers_;  ///< By value; places, once per read.
  std::vector<char> is_output_;
};

inline constexpr std::string_view kMicrosoftDomain = "com.microsoft";
[[nodiscard]] inline bool is_standard(const Node& node) {
  return node.domain.empty() || node.domain == "ai.onnx";
}
[[nodiscard]] inline bool is_op(const Node* node, std::string_view op) {
  return node != nullptr && is_standard(*node) && node->op == op;
}
/// Nothing for inputs that are left out.
[[nodiscard]] inline ValueId input_of(const Node& node, std::size_t index) {
  return index < node.inputs.size() ? node.inputs[index] : kNoValue;
}

/// The operand of a two-sided operator that is not `known`.
[[nodiscard]] inline ValueId other_input(const Node& node, ValueId known) {
  return input_of(node, 0) == known ? input_of(node, 1) : input_of(node, 0);
}

}  // namespace jouletree::predict
