#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/text_index.hpp"
#include "model/onnx/node_reader.hpp"
#include "model/onnx/passed_tensors.hpp"

namespace jouletree::model::onnx {

/// Turns graphs of names into blocks of numbered values: resolves names through the enclosing
/// graphs, expands calls of model-local functions and puts nodes into execution order.
class BlockReader {
 public:
  /// `file` is what the messages are views into; null where that is other memory.
  BlockReader(Graph& graph, const Functions& functions, const MappedFile* file)
      : graph_(graph), functions_(functions), passed_(file) {}

  [[nodiscard]] Block read_main(Message message);

 private:
  /// Names that are visible in one graph, and those of the graph around it.
  struct Names {
    const Names* outer = nullptr;
    TextIndex ids;
    [[nodiscard]] ValueId find(std::string_view name) const;
  };
  /// What holds for all nodes of one graph or function body.
  struct Frame {
    Names names;
    const std::map<std::string_view, int>* opsets = nullptr;
    int standard_opset = 0;  ///< Of these, that of most nodes.
    /// Attributes of the function call that is being expanded; null outside functions.
    const std::vector<RawAttribute>* arguments = nullptr;
    const Function* function = nullptr;
    const Frame* caller = nullptr;  ///< The frame that `arguments` were written in.
    std::vector<std::string_view> calls;
    int depth = 0;
  };

  Block read_graph(Message message, Frame& frame);
  /// Nodes are their messages: as RawNodes, those of a large model would take more time than all
  /// the rest of reading.
  using NodeMessages = std::vector<std::string_view>;
  using ValueIds = std::vector<ValueId>;
  /// A node that still has to be read. Its outputs are numbered one after the other.
  struct NodeToRead {
    std::string_view message;
    ValueId first_output = 0;
  };
  /// Numbers what the nodes give, and reads those that are constants. Gives the others.
  [[nodiscard]] std::vector<NodeToRead> define_outputs(const NodeMessages& nodes, Frame& frame);
  void define(std::string_view output, std::string_view node, Frame& frame);
  using NodesToRead = std::span<const NodeToRead>;
  /// Adds the nodes in execution order. In large models another thread reads the second half.
  void add_nodes(const NodesToRead& nodes, Frame& frame, Block& block);
  [[nodiscard]] bool worth_splitting(std::size_t nodes, const Frame& frame) const;
  void add_each(NodesToRead nodes, Frame& frame, Block& block);
  /// The nodes up to the first that is more than an operator with plain attributes. Changes nothing
  /// that others see, so that it may run beside add_each().
  [[nodiscard]] std::vector<Node> read_plain_nodes(NodesToRead nodes, const Frame& frame) const;
  [[nodiscard]] static ValueIds outputs_of(const RawNode& raw, const NodeToRead& node);
  /// `outputs` are the values that the node gives. Takes what it needs out of `raw`.
  void add_node(RawNode& raw, ValueIds outputs, Frame& frame, Block& block);
  void fill_node(RawNode& raw, ValueIds outputs, std::vector<Attribute> attributes,
                 const Frame& frame, Node& node) const;
  /// Reads the only attribute of a Constant node; false where that holds no constant.
  [[nodiscard]] bool add_constant(std::string_view attribute, ValueId id);
  void count_node();
  void count_node_of_function();
  void expand(const RawNode& raw, const ValueIds& outputs, const Function& function, Frame& frame,
              Block& block);
  void connect_function_outputs(const RawNode& raw, const ValueIds& outputs,
                                const Function& function, Frame& inner, Block& block);
  [[nodiscard]] const Function* function_of(const RawNode& raw) const;
  [[nodiscard]] std::vector<Attribute> read_attributes(const RawNode& raw, Frame& frame);
  /// Nothing where one of them holds a graph or refers to a function's.
  [[nodiscard]] static std::optional<std::vector<Attribute>> read_plain_attributes(
      const RawNode& raw);
  bool add_attribute(const RawAttribute& raw, std::string_view name, Frame& frame,
                     const Frame& origin, std::vector<Attribute>& out);
  [[nodiscard]] ValueIds resolve(const RawNode& raw, const Frame& frame) const;
  [[nodiscard]] ValueId new_value(std::string_view name);
  [[nodiscard]] StoredTensor read_initializer(std::string_view bytes);
  void add_initializer(StoredTensor tensor, Frame& frame);

  Graph& graph_;
  const Functions& functions_;
  PassedTensors passed_;
  std::int64_t node_count_ = 0;
  std::int64_t nodes_of_functions_ = 0;
};

/// Puts the nodes into an order in which every value is produced before it is used; keeps the
/// order of the file where that is one already. Throws Error(BadInput) for a cycle.
void sort_nodes(Block& block);

/// What stands in the attribute of a Constant node; nothing if it is malformed.
[[nodiscard]] Boxed<StoredTensor> read_constant(std::string_view attribute, Graph& graph);

}  // namespace jouletree::model::onnx
