#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/value_type.hpp"

namespace jouletree::engines {

/// The pieces of an ONNX file, to be put together anew. Nodes and weights are copied byte for byte.
class ModelParts {
 public:
  struct Part {
    std::string_view bytes;
    std::string_view name;
    std::string_view op;
    std::string_view domain;
    std::vector<std::string_view> inputs;   ///< Left-out ones are empty.
    std::vector<std::string_view> outputs;  ///< Left-out ones are empty.
    /// Values from outside that its nested graphs read.
    std::vector<std::string_view> captured;
    bool nested = false;     ///< Has graphs as attributes.
    std::string attributes;  ///< Bytes of all of them, for telling equal nodes from others.
  };

  /// The bytes must outlive the object. Throws Error(BadInput) for bytes that are no model.
  explicit ModelParts(std::string_view bytes);

  [[nodiscard]] const std::vector<Part>& nodes() const { return nodes_; }
  [[nodiscard]] bool is_weight(std::string_view name) const { return weights_.count(name) > 0; }
  /// Its bytes; nothing for what is no weight.
  [[nodiscard]] std::optional<std::string_view> weight(std::string_view name) const;
  /// Nothing for what is no weight.
  [[nodiscard]] std::optional<ValueType> weight_type(std::string_view name) const;
  [[nodiscard]] std::int64_t weight_bytes(const Part& part) const;
  [[nodiscard]] std::int64_t weight_bytes() const;  ///< Of the whole model.

  /// Names of the model's outputs.
  [[nodiscard]] const std::set<std::string_view>& output_names() const { return output_names_; }

  enum class Outputs { Declared, Every };
  enum class NodeNames { Stored, Positions };
  /// All nodes. Outputs are named without type and shape, which a file may have wrong. Nodes named
  /// by their positions can be told apart where the file names several alike or not at all.
  [[nodiscard]] std::string whole(Outputs outputs, NodeNames names = NodeNames::Stored) const;
  /// The position in nodes() that whole() named a node by; nothing for other names.
  [[nodiscard]] std::optional<std::size_t> position_of(std::string_view name) const;
  /// A model with the head of this one.
  [[nodiscard]] std::string with_graph(const std::string& graph) const;

 private:
  void read_graph(std::string_view graph);

  std::vector<Part> nodes_;
  std::map<std::string_view, std::string_view> weights_;  ///< Bytes by name.
  std::vector<std::string_view> sparse_weights_;
  std::vector<std::string_view> graph_inputs_;  ///< Descriptions.
  std::set<std::string_view> output_names_;
  std::string head_;  ///< All fields of the model beside the graph.
};

}  // namespace jouletree::engines
