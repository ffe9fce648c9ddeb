#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "model/onnx/onnx_builder.hpp"

namespace jouletree::test {

/// Of the operators that ONNX Runtime adds.
inline constexpr const char* kMicrosoftDomain = "com.microsoft";

using model::OnnxBuilder;

/// A model that was read and inferred. Nodes are found by name, or by operator where unnamed;
/// asking for what is not there fails the test with an exception.
class Inspected {
 public:
  Inspected(std::string bytes, const InputSettings& settings);

  [[nodiscard]] Dims dims(std::string_view value) const;
  [[nodiscard]] bool has_dims(std::string_view value) const;
  [[nodiscard]] DataType type(std::string_view value) const;
  [[nodiscard]] const ValueType& value_type(std::string_view value) const;
  /// Integers of a value whose content is completely known.
  [[nodiscard]] std::vector<std::int64_t> content(std::string_view value) const;
  [[nodiscard]] std::vector<double> real_content(std::string_view value) const;
  [[nodiscard]] bool has_content(std::string_view value) const;
  [[nodiscard]] const Work& work(std::string_view node) const { return result(node).work; }
  [[nodiscard]] NodeStatus status(std::string_view node) const { return result(node).status; }
  [[nodiscard]] const NodeResult& result(std::string_view node) const;
  [[nodiscard]] const std::vector<std::string>& notes() const { return inference_.notes; }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const Inference& inference() const { return inference_; }

 private:
  [[nodiscard]] ValueId id(std::string_view value) const;

  std::shared_ptr<std::string> bytes_;
  Graph graph_;
  Inference inference_;
};

[[nodiscard]] Inspected inspect(const OnnxBuilder& model, const InputSettings& settings = {});

/// The message of the Error that reading or inferring the model throws; empty if it does not.
[[nodiscard]] std::string error_of(const OnnxBuilder& model, const InputSettings& settings = {});

}  // namespace jouletree::test
