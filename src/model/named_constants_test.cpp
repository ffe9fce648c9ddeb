#include "model/named_constants.hpp"

#include <gmock/gmock.h>

#include "jouletree/tree.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

std::vector<std::string> operators_of(const Block& block) {
  std::vector<std::string> operators;
  for (const Node& node : block.nodes) operators.emplace_back(node.op);
  return operators;
}

/// As PyTorch writes two linear layers whose biases are equal.
model::OnnxBuilder merged_biases() {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8});
  model.initializer("w1", DataType::Float32, {8, 8}).initializer("w2", DataType::Float32, {8, 8});
  model.initializer("a.bias", DataType::Float32, {8});
  model.node("Identity", {"a.bias"}, {"b.bias"}).name("Identity_0");
  model.node("Identity", {"b.bias"}, {"c.bias"}).name("Identity_1");
  model.node("Gemm", {"x", "w1", "a.bias"}, {"h"}).name("/a/Gemm");
  model.node("Gemm", {"h", "w2", "c.bias"}, {"y"}).name("/b/Gemm");
  model.output("y");
  return model;
}

TEST(NamedConstants, AreConstantsAndNoNodes) {
  const std::string bytes = merged_biases().model_bytes();
  Graph graph = read_onnx(bytes, "m.onnx");
  model::fold_named_constants(graph);
  EXPECT_THAT(operators_of(graph.main), testing::ElementsAre("Gemm", "Gemm"));
  EXPECT_THAT(graph.notes, testing::ElementsAre(testing::HasSubstr("2 Identity nodes")));
  EXPECT_EQ(graph.node_count, 2U);
  EXPECT_EQ(graph.main.nodes[1].id, 1U);
  const ValueId name = graph.main.nodes[1].inputs[2];
  EXPECT_EQ(graph.values[name].name, "c.bias");
  ASSERT_TRUE(graph.values[name].constant);
  EXPECT_EQ(graph.values[model::stored_values(graph)[name]].name, "a.bias");
}

TEST(NamedConstants, CountAsTheOneTensorThatIsStored) {
  const std::string bytes = merged_biases().model_bytes();
  auto graph = std::make_shared<Graph>(read_onnx(bytes, "m.onnx"));
  model::fold_named_constants(*graph);
  const ModelTree tree = build_tree(graph, {});
  EXPECT_EQ(tree.root.totals.params, 64 + 64 + 8);
  EXPECT_EQ(tree.root.totals.operators, 2);
  ASSERT_EQ(tree.root.children.size(), 2U);
  EXPECT_EQ(tree.root.children[1].scope, "b");
  EXPECT_EQ(tree.root.children[1].totals.params, 64 + 8);
}

TEST(NamedConstants, KeepRolesThatOnlyTheirReadersKnow) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8});
  model.initializer("w", DataType::Int8, {8, 8});
  model.node("Identity", {"w"}, {"again"});
  model.reals("scale", {1});
  model.node("DequantizeLinear", {"again", "scale"}, {"f"});
  model.node("MatMul", {"x", "f"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  auto graph = std::make_shared<Graph>(read_onnx(bytes, "m.onnx"));
  const std::int64_t before = build_tree(graph, {}).root.totals.params;
  model::fold_named_constants(*graph);
  EXPECT_EQ(build_tree(graph, {}).root.totals.params, before);
  EXPECT_EQ(before, 64);
}

/// A copy to the outside is work that an engine does.
TEST(NamedConstants, OutputsStayNodes) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {8});
  model.initializer("w", DataType::Float32, {8});
  model.node("Identity", {"w"}, {"y"});
  model.node("Identity", {"x"}, {"z"});
  model.output("y").output("z");
  const std::string bytes = model.model_bytes();
  Graph graph = read_onnx(bytes, "m.onnx");
  model::fold_named_constants(graph);
  EXPECT_EQ(graph.main.nodes.size(), 2U);
  EXPECT_THAT(graph.notes, testing::IsEmpty());
}

TEST(NamedConstants, OfTheOuterGraphAreFoundInBodies) {
  OnnxBuilder then_branch(17);
  then_branch.node("Identity", {"w"}, {"v"});
  then_branch.node("Add", {"x", "v"}, {"t"});
  then_branch.output("t");
  OnnxBuilder else_branch(17);
  else_branch.node("Identity", {"w"}, {"e"});
  else_branch.output("e");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4});
  model.input("c", DataType::Bool, {});
  model.initializer("w", DataType::Float32, {4});
  model.node("If", {"c"}, {"y"})
      .graph("then_branch", then_branch)
      .graph("else_branch", else_branch);
  model.output("y");
  const std::string bytes = model.model_bytes();
  Graph graph = read_onnx(bytes, "m.onnx");
  model::fold_named_constants(graph);
  const Node& branch = graph.main.nodes[0];
  EXPECT_THAT(operators_of(*branch.attribute("then_branch")->blocks[0]),
              testing::ElementsAre("Add"));
  EXPECT_THAT(operators_of(*branch.attribute("else_branch")->blocks[0]),
              testing::ElementsAre("Identity"));
  EXPECT_EQ(graph.node_count, 3U);
}

}  // namespace
}  // namespace jouletree::test
