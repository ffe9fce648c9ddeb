#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/value_type.hpp"

namespace jouletree::model {

class OnnxBuilder;

/// One node of a model that is being written. Setters return the node, to be chained.
class OnnxNode {
 public:
  OnnxNode(std::string_view op, const std::vector<std::string>& inputs,
           const std::vector<std::string>& outputs);

  OnnxNode& name(std::string_view name);
  OnnxNode& domain(std::string_view domain);
  OnnxNode& integer(std::string_view name, std::int64_t value);
  OnnxNode& ints(std::string_view name, const std::vector<std::int64_t>& values);
  OnnxNode& real(std::string_view name, float value);
  OnnxNode& reals(std::string_view name, const std::vector<float>& values);
  OnnxNode& text(std::string_view name, std::string_view value);
  OnnxNode& texts(std::string_view name, const std::vector<std::string>& values);
  OnnxNode& tensor(std::string_view name, DataType type, const Dims& dims, std::string_view bytes);
  /// A nested graph; opset and functions of `body` are not used.
  OnnxNode& graph(std::string_view name, const OnnxBuilder& body);
  /// Stands for an attribute of the function that the node is part of.
  OnnxNode& reference(std::string_view name, std::string_view function_attribute);
  OnnxNode& metadata(std::string_view key, std::string_view value);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Writes ONNX models node by node.
class OnnxBuilder {
 public:
  explicit OnnxBuilder(int opset = 17);

  OnnxBuilder& import_domain(std::string_view domain, int version);
  OnnxBuilder& input(std::string_view name, DataType type, const Dims& dims);
  /// Dimensions that are no numbers are symbols.
  OnnxBuilder& symbolic_input(std::string_view name, DataType type,
                              const std::vector<std::string>& dims);
  OnnxBuilder& shapeless_input(std::string_view name, DataType type);
  OnnxBuilder& output(std::string_view name, DataType type = DataType::Float32);
  /// With a shape, which strict readers ask for.
  OnnxBuilder& symbolic_output(std::string_view name, DataType type,
                               const std::vector<std::string>& dims);
  OnnxBuilder& value_info(std::string_view name, DataType type, const Dims& dims);
  /// Filled with zeros.
  OnnxBuilder& initializer(std::string_view name, DataType type, const Dims& dims);
  OnnxBuilder& initializer(std::string_view name, DataType type, const Dims& dims,
                           std::string_view bytes);
  OnnxBuilder& external_initializer(std::string_view name, DataType type, const Dims& dims,
                                    std::string_view location, std::int64_t offset,
                                    std::int64_t length);
  OnnxBuilder& sparse_initializer(std::string_view name, DataType type, const Dims& dims,
                                  std::int64_t stored_elements);
  /// A list of int64.
  OnnxBuilder& integers(std::string_view name, const std::vector<std::int64_t>& values);
  /// A list of float32.
  OnnxBuilder& reals(std::string_view name, const std::vector<float>& values);
  /// The node stays valid as long as the builder.
  OnnxNode& node(std::string_view op, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs);
  /// A model-local function whose nodes are those of `body`.
  OnnxBuilder& function(std::string_view domain, std::string_view name,
                        const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs,
                        const std::vector<std::string>& attributes, const OnnxBuilder& body);

  [[nodiscard]] std::string model_bytes() const;
  [[nodiscard]] std::string graph_bytes() const;
  /// What stands before and after the graph in the bytes of the model.
  [[nodiscard]] std::string head_bytes() const;
  [[nodiscard]] std::string tail_bytes() const;

 private:
  std::map<std::string, int, std::less<>> opsets_;
  std::deque<OnnxNode> nodes_;
  std::string rest_of_graph_;
  std::string functions_;
};

}  // namespace jouletree::model
