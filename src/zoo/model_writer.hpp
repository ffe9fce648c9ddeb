#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/onnx/streamed_model.hpp"
#include "zoo/random_weights.hpp"

namespace jouletree::zoo {

/// A tensor of the graph, by name.
using Value = std::string;
using Ints = std::vector<std::int64_t>;

/// A module of the model. Nodes are named by its path and weights by its dotted name, both as the
/// PyTorch exporter does: "/layer1/layer1.0/conv1" holds "layer1.0.conv1.weight".
class Scope {
 public:
  Scope() = default;
  [[nodiscard]] Scope child(std::string_view name) const;
  /// Element of a list of modules, which itself never runs: "/encoder/layer.3".
  [[nodiscard]] Scope element(std::string_view list, std::int64_t index) const;
  /// Member of this module where it is a sequence that runs its members: "/features/features.3".
  [[nodiscard]] Scope member(std::int64_t index) const;

  [[nodiscard]] std::string node_name(std::string_view op) const;
  [[nodiscard]] std::string weight_name(std::string_view leaf) const;

 private:
  Scope(std::string path, std::string dotted, std::string last);

  std::string path_;
  std::string dotted_;
  std::string last_;
};

struct NodeAttribute {
  std::string_view name;
  std::variant<std::int64_t, float, Ints, std::string_view> value;
};
using NodeAttributes = std::vector<NodeAttribute>;

/// Collects the nodes and weights of one model. Weights are only described; they are made when the
/// file is written.
class ModelWriter {
 public:
  explicit ModelWriter(std::uint64_t seed) : seed_(seed) {}

  Value input(std::string_view name, DataType type, const std::vector<std::string>& dims);
  void output(std::string_view name, const Value& value, const std::vector<std::string>& dims);
  /// Whose shape readers find out.
  void output(std::string_view name, const Value& value);
  /// Operators of ONNX Runtime's own are called "com.microsoft.MatMulNBits".
  Value node(const Scope& scope, std::string_view op, const std::vector<Value>& inputs,
             NodeAttributes attributes = {});
  std::vector<Value> node_with_outputs(const Scope& scope, std::string_view op,
                                       const std::vector<Value>& inputs, std::size_t outputs,
                                       NodeAttributes attributes = {});
  /// A trained tensor (or a running statistic). Asking again for the same one gives the same.
  /// Throws Error(BadInput) where no machine has room for all of them.
  Value weight(const Scope& scope, std::string_view leaf, const Dims& dims, Fill fill = {});

  /// A trained tensor of whole numbers in one byte each: Int8 or UInt8.
  Value bytes(const Scope& scope, std::string_view leaf, const Dims& dims, DataType type);
  /// One such number, for example a zero point.
  Value byte(const Scope& scope, std::string_view leaf, DataType type, int value);

  Value integers(const Ints& values);
  Value integer(std::int64_t value);
  Value real(float value);
  /// Numbers that belong to the architecture, and are not trained. They are held in memory: see
  /// refuse_large_table().
  Value table(const Scope& scope, const Dims& dims, const std::vector<float>& values);

  [[nodiscard]] const std::vector<model::StreamedTensor>& weights() const { return weights_; }
  /// The graph without its weights.
  [[nodiscard]] model::OnnxBuilder graph() const;

 private:
  struct PendingNode {
    std::string name;
    std::string op;
    std::vector<Value> inputs;
    std::vector<Value> outputs;
    NodeAttributes attributes;
  };
  struct Table {
    std::string name;
    Dims dims;
    std::vector<float> values;
  };

  /// False where there is such a weight already. Throws std::logic_error if it has another shape.
  bool is_new_weight(const std::string& name, const Dims& dims);
  void add_weight(model::StreamedTensor weight);
  std::string unique(const std::string& name);
  [[nodiscard]] const std::string& public_name(const Value& value) const;
  void add_node(model::OnnxBuilder& model, const PendingNode& pending) const;

  std::uint64_t seed_;
  model::OnnxBuilder constants_and_inputs_{17};
  std::vector<PendingNode> nodes_;
  std::vector<Table> tables_;
  std::vector<model::StreamedTensor> weights_;
  std::int64_t weight_bytes_ = 0;
  std::map<std::string, int> used_names_;
  std::map<Ints, Value> integer_lists_;
  std::map<std::int64_t, Value> integers_;
  std::map<float, Value> reals_;
  std::map<std::string, Dims> weight_dims_;
  std::map<Value, std::string> outputs_;
};

/// Throws Error(BadInput), naming `what`, for a table that would take more memory than its model.
void refuse_large_table(const Dims& dims, std::string_view what);

}  // namespace jouletree::zoo
