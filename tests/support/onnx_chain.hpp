#pragma once

#include <string>
#include <vector>

#include "jouletree/graph.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {

/// A model of three nodes one after the other: product, activation and sum.
inline std::string chain() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 4});
  model.initializer("w", DataType::Float32, {4, 4});
  model.node("MatMul", {"x", "w"}, {"a"}).name("product");
  model.node("Relu", {"a"}, {"b"}).name("activation");
  model.node("Add", {"b", "x"}, {"y"}).name("sum");
  model.output("y");
  return model.model_bytes();
}

using Names = std::vector<std::string>;

inline Names names(const Graph& graph, const std::vector<ValueId>& ids) {
  Names names;
  for (const ValueId id : ids) names.emplace_back(graph.values[id].name);
  return names;
}

}  // namespace jouletree::test
