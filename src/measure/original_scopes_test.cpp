#include "measure/original_scopes.hpp"

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree {
namespace {

Graph original() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 3, 8, 8});
  model.initializer("w", DataType::Float32, {3, 3, 3, 3});
  model.node("Conv", {"x", "w"}, {"a"}).name("/block/conv1/Conv");
  model.node("Relu", {"a"}, {"b"}).name("/block/relu/Relu");
  model.node("Conv", {"b", "w"}, {"c"}).name("/block/conv2/Conv");
  model.node("Add", {"c", "x"}, {"d"}).name("/block/Add");
  model.node("Relu", {"d"}, {"e"}).name("/block/relu_1/Relu");
  model.output("e");
  static std::string bytes;
  bytes = model.model_bytes();
  return read_onnx(bytes, "original.onnx");
}

std::string path_of(const Node& node) {
  std::string path;
  for (const ModuleStep& step : node.modules) path += "/" + std::string(step.name);
  return path;
}

TEST(OriginalScopes, APlainOperatorKeepsItsModule) {
  const Graph from = original();
  Graph to = original();
  take_original_scopes(from, to);
  EXPECT_EQ(path_of(to.main.nodes[0]), "/block/conv1");
  EXPECT_EQ(path_of(to.main.nodes[3]), "/block");
}

TEST(OriginalScopes, AFusedOperatorBelongsToTheModuleAroundItsParts) {
  OnnxBuilder fused(17);
  fused.import_domain("com.microsoft", 1);
  fused.input("x", DataType::Float32, {1, 3, 8, 8});
  fused.initializer("w", DataType::Float32, {3, 3, 3, 3});
  fused.node("FusedConv", {"x", "w"}, {"b"}).domain("com.microsoft").name("anything");
  fused.node("Conv", {"b", "w"}, {"c"}).name("other");
  fused.output("c");
  const std::string bytes = fused.model_bytes();
  Graph graph = read_onnx(bytes, "fused.onnx");
  take_original_scopes(original(), graph);
  EXPECT_EQ(path_of(graph.main.nodes[0]), "/block");
  EXPECT_EQ(path_of(graph.main.nodes[1]), "/block/conv2");
}

/// In the blocked layout values lose their names; nodes are named after the values instead.
TEST(OriginalScopes, BlockedConvolutionsAreFoundByTheirNames) {
  OnnxBuilder blocked(17);
  const char* const layout = "com.microsoft.nchwc";
  blocked.import_domain(layout, 1);
  blocked.input("x", DataType::Float32, {1, 3, 8, 8});
  blocked.initializer("w", DataType::Float32, {3, 3, 3, 3});
  blocked.node("Conv", {"x", "w"}, {"token_0"})
      .domain(layout)
      .name("b_nchwc")
      .text("activation", "Relu");
  blocked.node("Conv", {"token_0", "w", "", "x"}, {"token_1"})
      .domain(layout)
      .name("c_nchwc")
      .text("activation", "Relu");
  blocked.output("token_1");
  const std::string bytes = blocked.model_bytes();
  Graph graph = read_onnx(bytes, "blocked.onnx");
  take_original_scopes(original(), graph);
  EXPECT_EQ(path_of(graph.main.nodes[0]), "/block");
  EXPECT_EQ(path_of(graph.main.nodes[1]), "/block");
}

}  // namespace
}  // namespace jouletree
