#include "engines/onnxruntime/cut_outs.hpp"

#include <set>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/graph.hpp"
#include "support/onnx_chain.hpp"

namespace jouletree::engines {
namespace {

using test::chain;
using test::Names;
using test::names;

CutInputs types() {
  ValueType type;
  type.type = DataType::Float32;
  type.dims = Dims{2, 4};
  return {{"x", type}, {"a", type}, {"b", type}};
}

TEST(CutOuts, RepeatsANodeOverTheSameInputsAndWeights) {
  const std::string bytes = chain();
  const std::string copied = repeated(ModelParts(bytes), {0}, {3}, types());
  const Graph graph = read_onnx(copied, "operator.onnx");
  ASSERT_EQ(graph.main.nodes.size(), 3U);
  for (const Node& node : graph.main.nodes) {
    EXPECT_EQ(node.op, "MatMul");
    EXPECT_EQ(names(graph, node.inputs), (Names{"x", "w"}));
  }
  EXPECT_EQ(names(graph, graph.main.outputs), (Names{"a#2"}));
}

TEST(CutOuts, RepeatsANodeOverSetsOfInputsAndWeightsInTurns) {
  const std::string bytes = chain();
  const std::string cut = repeated(ModelParts(bytes), {0}, {3, 2, {{"x", 3}}}, types());
  const Graph graph = read_onnx(cut, "operator.onnx");
  ASSERT_EQ(graph.main.nodes.size(), 3U);
  EXPECT_EQ(names(graph, graph.main.nodes[0].inputs), (Names{"x#0", "w#0"}));
  EXPECT_EQ(names(graph, graph.main.nodes[1].inputs), (Names{"x#1", "w#1"}));
  EXPECT_EQ(names(graph, graph.main.inputs), (Names{"x#0", "x#1", "x#2"}));
  EXPECT_EQ(names(graph, graph.main.nodes[2].inputs), (Names{"x#2", "w#0"}));
  const ValueId weight = graph.main.nodes[1].inputs[1];
  ASSERT_TRUE(graph.values[weight].constant);
  EXPECT_EQ(graph.values[weight].constant->dims, (Dims{4, 4}));
}

TEST(CutOuts, CopiesOfALargeWeightDifferSoThatEnginesKeepAll) {
  model::OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 64});
  model.initializer("w", DataType::Float32, {64, 64}, std::string(64 * 64 * 4, '\0'));
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  CutInputs inputs = types();
  inputs["x"].dims = Dims{2, 64};
  const std::string cut = repeated(ModelParts(bytes), {0}, {3, 3}, inputs);
  const Graph graph = read_onnx(cut, "operator.onnx");
  std::set<std::string_view> contents;
  for (const Node& node : graph.main.nodes)
    contents.insert(graph.values[node.inputs[1]].constant->raw);
  EXPECT_EQ(contents.size(), 3U);
}

TEST(CutOuts, LargeOutputsOfCopiesAreReadSoThatTheirMemoryIsFree) {
  const std::string bytes = chain();
  CutInputs large = types();
  large["a"].dims = Dims{2, 1 << 14};
  const std::string cut = repeated(ModelParts(bytes), {0}, {2}, large);
  const Graph graph = read_onnx(cut, "operator.onnx");
  ASSERT_EQ(graph.main.nodes.size(), 4U);
  EXPECT_EQ(graph.main.nodes[1].op, "Shape");
  EXPECT_EQ(names(graph, graph.main.nodes[3].inputs), (Names{"a#1"}));
}

TEST(CutOuts, OutputsAreKeptForAsManyBytesAsAsked) {
  const std::string bytes = chain();
  CutInputs large = types();
  large["a"].dims = Dims{2, 1 << 14};
  const std::string cut = repeated(ModelParts(bytes), {0}, {4, 1, {}, 300'000}, large);
  const Graph graph = read_onnx(cut, "operator.onnx");
  // Two of four are given back, each after two later ones.
  ASSERT_EQ(graph.main.nodes.size(), 4U + 2 * 3U);
  EXPECT_EQ(graph.main.nodes[3].op, "Shape");
  EXPECT_EQ(names(graph, graph.main.nodes[3].inputs), (Names{"a#2"}));
  EXPECT_EQ(graph.main.nodes[4].op, "Reshape");
  EXPECT_EQ(names(graph, graph.main.nodes[4].inputs), (Names{"a#0", "a#2#shape"}));
}

TEST(CutOuts, CutsNodesOutWithWhatTheyReadAndOthersWant) {
  const std::string bytes = chain();
  const std::string cut = repeated(ModelParts(bytes), {1, 2}, {}, types());
  const Graph graph = read_onnx(cut, "module.onnx");
  EXPECT_EQ(graph.main.nodes.size(), 2U);
  EXPECT_EQ(names(graph, graph.main.inputs), (Names{"a", "x"}));
  EXPECT_EQ(names(graph, graph.main.outputs), (Names{"y#0"}));
}

TEST(CutOuts, CopiesOfSeveralNodesTakeTurnsAndKeepTheirOwnValues) {
  const std::string bytes = chain();
  const std::string cut = repeated(ModelParts(bytes), {0, 1, 2}, {2, 2, {{"x", 2}}}, types());
  const Graph graph = read_onnx(cut, "module.onnx");
  ASSERT_EQ(graph.main.nodes.size(), 6U);
  EXPECT_EQ(names(graph, graph.main.nodes[0].inputs), (Names{"x#0", "w#0"}));
  EXPECT_EQ(names(graph, graph.main.nodes[1].inputs), (Names{"a#0"}));
  EXPECT_EQ(names(graph, graph.main.nodes[2].inputs), (Names{"b#0", "x#0"}));
  EXPECT_EQ(names(graph, graph.main.nodes[3].inputs), (Names{"x#1", "w#1"}));
  EXPECT_EQ(names(graph, graph.main.nodes[5].inputs), (Names{"b#1", "x#1"}));
  EXPECT_EQ(names(graph, graph.main.inputs), (Names{"x#0", "x#1"}));
  EXPECT_EQ(names(graph, graph.main.outputs), (Names{"y#1"}));
}

TEST(CutOuts, ValuesThatAreReadInsideAreOnlyOutputsWhereOthersWantThem) {
  model::OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 4});
  model.node("Relu", {"x"}, {"a"});
  model.node("Tanh", {"a"}, {"b"});
  model.node("Add", {"a", "b"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  const Borders borders = borders_of(ModelParts(bytes), {0, 1});
  EXPECT_EQ(borders.outputs, (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(borders_of(ModelParts(bytes), {1, 2}).outputs, (std::vector<std::string_view>{"y"}));
}

TEST(CutOuts, NestedGraphsOfACopyReadWhatThatCopyMade) {
  model::OnnxBuilder then_branch(17);
  then_branch.node("Neg", {"a"}, {"t"});
  then_branch.output("t");
  model::OnnxBuilder else_branch(17);
  else_branch.node("Abs", {"x"}, {"a"});  // hides what stands outside
  else_branch.node("Exp", {"a"}, {"e"});
  else_branch.output("e");
  model::OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 4});
  model.input("c", DataType::Bool, {});
  model.node("Relu", {"x"}, {"a"});
  model.node("If", {"c"}, {"y"})
      .graph("then_branch", then_branch)
      .graph("else_branch", else_branch);
  model.output("y");
  const std::string bytes = model.model_bytes();
  CutInputs inputs = types();
  inputs["c"].type = DataType::Bool;
  inputs["c"].dims = Dims{};
  const std::string copied = repeated(ModelParts(bytes), {0, 1}, {2}, inputs);
  const ModelParts parts(copied);
  ASSERT_EQ(parts.nodes().size(), 4U);
  EXPECT_EQ(parts.nodes()[1].captured, (std::vector<std::string_view>{"a#0", "x"}));
  EXPECT_EQ(parts.nodes()[3].captured, (std::vector<std::string_view>{"a#1", "x"}));
}

TEST(CutOuts, RefusesAnInputThatWasNotRecorded) {
  const std::string bytes = chain();
  EXPECT_THROW((void)repeated(ModelParts(bytes), {1}, {}, {}), Error);
}

}  // namespace
}  // namespace jouletree::engines
