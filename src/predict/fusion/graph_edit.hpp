#pragma once

#include <deque>
#include <initializer_list>
#include <list>
#include <optional>
#include <string_view>
#include <vector>

#include "predict/fusion/edited_graph.hpp"

namespace jouletree::predict {

/// One block of a graph, being rewritten. Pointers to its nodes stay valid; what is removed is
/// skipped. The block is whole again when the object is gone.
class GraphEdit {
 public:
  GraphEdit(EditedGraph& graph, Block& block);
  GraphEdit(const GraphEdit&) = delete;
  GraphEdit& operator=(const GraphEdit&) = delete;
  ~GraphEdit();

  /// Those that are left, in execution order.
  [[nodiscard]] std::vector<Node*> nodes();
  [[nodiscard]] bool is_removed(const Node& node) const;
  [[nodiscard]] bool is_before(const Node& a, const Node& b) const;
  /// Whether anything was changed since the last call.
  [[nodiscard]] bool take_changed();

  /// Null for inputs, constants and what another block makes.
  [[nodiscard]] Node* producer(ValueId value) const;
  /// The producer where it is such an operator of the standard domain, else null.
  [[nodiscard]] Node* producer(ValueId value, std::string_view op) const;
  /// The one node that reads the value, once; null where others do or the block gives it out.
  [[nodiscard]] Node* only_reader(ValueId value) const;
  /// The same where it is such an operator of the standard domain, else null.
  [[nodiscard]] Node* only_reader(ValueId value, std::string_view op) const;
  /// Once per read, also by the bodies of a node.
  [[nodiscard]] std::vector<Node*> readers(ValueId value) const;
  /// Nobody reads it and the block does not give it out.
  [[nodiscard]] bool is_unused(ValueId value) const;
  [[nodiscard]] bool is_output(ValueId value) const;

  /// Stored, and the same in every run.
  [[nodiscard]] bool is_constant(ValueId value) const;
  /// Of a constant with one known element.
  [[nodiscard]] std::optional<double> scalar(ValueId value) const;
  /// Of a small constant that is known as a whole.
  [[nodiscard]] std::optional<std::vector<double>> numbers(ValueId value) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(ValueId value) const;
  /// As far as they hold for all sizes of open dimensions; nothing where the rank is unknown.
  [[nodiscard]] const std::optional<Dims>& dims(ValueId value) const;
  /// All dimensions are known before the run.
  [[nodiscard]] bool has_known_dims(ValueId value) const;
  /// The same number of dimensions, and none that is known to differ. Open ones are the same if
  /// they were for the sizes that were asked for.
  [[nodiscard]] bool has_same_dims(ValueId a, ValueId b) const;
  [[nodiscard]] DataType type(ValueId value) const;
  /// What follows from the graph for all sizes of open dimensions.
  [[nodiscard]] const Elements* content(ValueId value) const;

  void remove(Node& node);
  /// Every reader of `from` reads `to` instead. `from` must not be an output of the block.
  void redirect(ValueId from, ValueId to);
  /// Removes a node that only hands on its first input. False, with nothing done, where the block
  /// would lose an output.
  bool bypass(Node& node);
  /// The value is from now on stored in the model.
  void make_constant(ValueId value);
  void set_inputs(Node& node, std::vector<ValueId> inputs);
  void set_input(Node& node, std::size_t index, ValueId value);
  /// The node makes these values from now on.
  void set_outputs(Node& node, std::vector<ValueId> outputs);
  /// One kernel for all members: it stands where the last of them stood, so that all it reads has
  /// been made, and takes name and modules of `main`. Gives the node in its place.
  Node& merge(std::initializer_list<Node*> members, const Node& main, std::string_view op,
              std::vector<ValueId> inputs);
  Node& merge(const std::vector<Node*>& members, const Node& main, std::string_view op,
              std::vector<ValueId> inputs);

  /// What a node that is put in looks like.
  struct Made {
    std::string_view op;
    std::string_view domain = "";
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<Attribute> attributes{};
  };
  /// Puts a node in front of, or behind, another one; it stands beside it in the tree.
  Node& insert_before(const Node& place, Made made);
  Node& insert_after(const Node& place, Made made);

  /// A value like another one, of another type or with other dimensions.
  [[nodiscard]] ValueId add_value_like(ValueId like);
  [[nodiscard]] ValueId add_value_like(ValueId like, DataType type);
  [[nodiscard]] ValueId add_value(std::string_view name, DataType type, const Dims& open,
                                  const Dims& settled);
  /// Its dims for the sizes that were asked for.
  [[nodiscard]] const std::optional<Dims>& settled_dims(ValueId value) const;
  [[nodiscard]] ValueId add_integers(std::string_view name, const std::vector<std::int64_t>& list);
  /// A stored scalar.
  [[nodiscard]] ValueId add_number(std::string_view name, DataType type, double number);
  /// A stored tensor whose content nobody knows.
  [[nodiscard]] ValueId add_stored(std::string_view name, DataType type, const Dims& dims);
  [[nodiscard]] const GraphValue& value(ValueId value) const;

  /// The nodes of the body stand in the place of the node from now on, and make its outputs.
  void open_body(Node& node, Block& body);

  /// What nobody reads any more is removed.
  void remove_unread();

 private:
  using Known = EditedGraph::Known;

  [[nodiscard]] Known& known(ValueId value) const { return graph_.known_[value]; }
  [[nodiscard]] const Elements* constant_content(ValueId value) const;
  [[nodiscard]] ValueId add(std::string_view name, ValueType open, ValueType settled);
  void store(const Elements& elements, StoredTensor& tensor);
  Node& insert(std::list<EditedNode*>::iterator place, const Node& beside, Made made);
  EditedNode& put(Node node, std::list<EditedNode*>::iterator place);
  void number_again();
  void add_uses(EditedNode& node);
  void drop_reads(EditedNode& node);
  /// The same node for changes.
  [[nodiscard]] static EditedNode& edited(Node& node) { return static_cast<EditedNode&>(node); }

  EditedGraph& graph_;
  Block& block_;
  std::deque<EditedNode> nodes_;
  std::list<EditedNode*> order_;  ///< Of those that are left.
  bool changed_ = false;
};

inline constexpr std::string_view kMicrosoftDomain = "com.microsoft";
[[nodiscard]] inline bool is_standard(const Node& node) {
  return node.domain.empty() || node.domain == "ai.onnx";
}
[[nodiscard]] inline bool is_op(const Node* node, std::string_view op) {
  return node != nullptr && node->op == op && is_standard(*node);
}
[[nodiscard]] inline bool is_microsoft(const Node* node, std::string_view op) {
  return node != nullptr && node->op == op && node->domain == kMicrosoftDomain;
}
/// Nothing for inputs that are left out.
[[nodiscard]] inline ValueId input_of(const Node& node, std::size_t index) {
  return index < node.inputs.size() ? node.inputs[index] : kNoValue;
}

/// The operand of a two-sided operator that is not `known`.
[[nodiscard]] inline ValueId other_input(const Node& node, ValueId known) {
  return input_of(node, 0) == known ? input_of(node, 1) : input_of(node, 0);
}

[[nodiscard]] std::int64_t integer_of(const Node& node, std::string_view attribute,
                                      std::int64_t usual);
[[nodiscard]] Attribute integer_attribute(std::string_view name, std::int64_t value);
[[nodiscard]] Attribute text_attribute(std::string_view name, std::string_view text);
[[nodiscard]] Attribute integers_attribute(std::string_view name, std::vector<std::int64_t> values);

}  // namespace jouletree::predict
