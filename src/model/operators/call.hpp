#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/elements.hpp"
#include "jouletree/graph.hpp"
#include "jouletree/inference.hpp"
#include "model/operators/operator_facts.hpp"

namespace jouletree::model {

/// An error whose message names the node already.
class NodeError : public Error {
 public:
  NodeError(const Node& node, const std::string& problem);
};

/// What is known about a value while the graph is being inferred.
struct ValueState {
  ValueType type;
  std::shared_ptr<const Elements> content;  ///< Null where unknown or larger than kMaxElements.
};

/// Runs the blocks that belong to a node; how often each of its nodes counts is up to the rule.
class BlockRunner {
 public:
  /// What the nodes of one block have added up so far.
  using Snapshot = std::vector<NodeResult>;

  virtual ~BlockRunner() = default;
  /// Infers the block once for these inputs and adds its work `times` over.
  virtual std::vector<ValueState> run(const Block& block, std::vector<ValueState> inputs,
                                      Count times) = 0;
  [[nodiscard]] virtual Snapshot save(const Block& block) const = 0;
  virtual void restore(const Block& block, const Snapshot& snapshot) = 0;
  /// How many more node inferences are allowed; loops stop unrolling when it runs low.
  [[nodiscard]] virtual std::int64_t budget() const = 0;
};

/// How a rule sees the world; implemented by the evaluator.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  [[nodiscard]] virtual ValueState& state(ValueId id) = 0;
  /// Whether content(id) would give something, without reading it.
  [[nodiscard]] virtual bool has_content(ValueId id) const = 0;
  /// Reads a small constant from the file on first use; null where the content is unknown.
  [[nodiscard]] virtual const Elements* content(ValueId id) = 0;
  [[nodiscard]] virtual bool is_constant(ValueId id) const = 0;
  [[nodiscard]] virtual BlockRunner& blocks() = 0;
  virtual void note(std::string text) = 0;
};

/// One operator call, as shape and cost rules see it. Positions of inputs and outputs are those of
/// the operator's definition; one that was left out has an unknown type.
class Call {
 public:
  Call(const Node& node, ValueSource& source) : node_(node), source_(source) {}

  [[nodiscard]] const Node& node() const { return node_; }
  [[nodiscard]] int opset() const { return node_.opset; }

  [[nodiscard]] std::size_t input_count() const { return node_.inputs.size(); }
  [[nodiscard]] bool has_input(std::size_t position) const;
  [[nodiscard]] const ValueType& input(std::size_t position) const;
  [[nodiscard]] const ValueState& input_state(std::size_t position) const;
  /// Null where the input was left out or its rank is unknown.
  [[nodiscard]] const Dims* dims(std::size_t position) const;
  [[nodiscard]] DataType type(std::size_t position) const { return input(position).type; }
  [[nodiscard]] bool is_constant(std::size_t position) const;

  /// Whether the content of the input is known and small, without reading it from the file.
  [[nodiscard]] bool has_content(std::size_t position) const;
  /// Null where unknown. Single elements may still be unknown.
  [[nodiscard]] const Elements* content(std::size_t position) const;
  /// The content as whole numbers, only where every element is known.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t position) const;
  /// The first element as a whole number.
  [[nodiscard]] std::optional<std::int64_t> integer(std::size_t position) const;
  [[nodiscard]] std::optional<std::vector<double>> reals(std::size_t position) const;

  [[nodiscard]] std::size_t output_count() const { return node_.outputs.size(); }
  [[nodiscard]] bool has_output(std::size_t position) const;
  [[nodiscard]] const ValueType& output(std::size_t position) const;
  /// Null where the output was left out or its rank is unknown.
  [[nodiscard]] const Dims* output_dims(std::size_t position) const;

  /// Setting an output that was left out does nothing.
  void set(std::size_t position, ValueType type);
  void set(std::size_t position, DataType type, Dims dims);
  /// The rank is unknown too.
  void set_unknown(std::size_t position, DataType type);
  void set_state(std::size_t position, ValueState state);
  /// Ignored where the output's shape is not known or does not fit the number of elements.
  void set_content(std::size_t position, Elements elements);

  [[nodiscard]] bool has_attribute(std::string_view name) const;
  [[nodiscard]] std::int64_t attribute(std::string_view name, std::int64_t fallback) const;
  [[nodiscard]] double attribute(std::string_view name, double fallback) const;
  [[nodiscard]] std::string_view attribute(std::string_view name, const char* fallback) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> attribute_integers(
      std::string_view name) const;
  [[nodiscard]] const Block* block(std::string_view name) const;

  [[nodiscard]] BlockRunner& blocks() const { return source_.blocks(); }
  /// The inputs whose content rules have asked for so far.
  [[nodiscard]] Slots asked_contents() const { return asked_contents_; }
  /// Those whose state they took before.
  [[nodiscard]] Slots asked_states() const { return asked_states_; }
  /// Tells the reader of the numbers about an assumption; the node is named in front.
  void note(const std::string& text) const;
  /// Throws Error(BadInput) with the node's name in front.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  const Node& node_;
  ValueSource& source_;
  mutable Slots asked_contents_ = 0;
  mutable Slots asked_states_ = 0;
};

/// How errors and notes name a node: "node '/layer1/conv/Conv' (Conv)".
[[nodiscard]] std::string describe(const Node& node);

}  // namespace jouletree::model
