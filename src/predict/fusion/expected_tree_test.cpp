#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/predict.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree {
namespace {

using model::OnnxBuilder;
using ::testing::ElementsAre;

/// The operators that are left, in order; fused ones by their new names.
class Expected {
 public:
  explicit Expected(const OnnxBuilder& model) : bytes_(model.model_bytes()) {
    const auto graph = std::make_shared<const Graph>(read_onnx(bytes_, "model.onnx"));
    tree_ = expected_tree(build_tree(graph, {}), {});
  }
  [[nodiscard]] std::vector<std::string> operators() const {
    std::vector<std::string> names;
    for (const Node& node : tree_.graph->main.nodes) names.emplace_back(node.op);
    return names;
  }
  [[nodiscard]] const ModelTree& tree() const { return tree_; }

 private:
  std::string bytes_;
  ModelTree tree_;
};

OnnxBuilder image_model() {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 16, 8, 8});
  model.initializer("w", DataType::Float32, {16, 16, 3, 3});
  for (const char* name : {"scale", "shift", "mean", "variance"})
    model.initializer(name, DataType::Float32, {16});
  return model;
}

TEST(ExpectedTree, AConvolutionTakesInNormalisationResidualAndActivation) {
  OnnxBuilder model = image_model();
  model.node("Conv", {"x", "w"}, {"b"}).ints("pads", {1, 1, 1, 1}).name("/stem/Conv");
  model.node("Conv", {"b", "w"}, {"c"}).ints("pads", {1, 1, 1, 1}).name("/block/conv/Conv");
  model.node("BatchNormalization", {"c", "scale", "shift", "mean", "variance"}, {"n"});
  model.node("Add", {"n", "b"}, {"s"});
  model.node("Relu", {"s"}, {"y"});
  model.output("y");
  const Expected expected(model);
  EXPECT_THAT(expected.operators(), ElementsAre("ReorderInput", "Conv", "Conv", "ReorderOutput"))
      << "inputs and outputs of the graph are not in blocks";
  const TreeNode& block = expected.tree().root.children.back();
  EXPECT_EQ(block.name, "block") << "it stays in the module of the convolution";
  EXPECT_EQ(expected.tree().root.totals.macs.known(), 2 * 16 * 8 * 8 * 16 * 9);
}

TEST(ExpectedTree, ASumOfWhatIsNotInBlocksStaysOne) {
  OnnxBuilder model = image_model();
  model.node("Conv", {"x", "w"}, {"c"}).ints("pads", {1, 1, 1, 1});
  model.node("Add", {"c", "x"}, {"y"});
  model.output("y");
  EXPECT_THAT(Expected(model).operators(),
              ElementsAre("ReorderInput", "Conv", "ReorderOutput", "Add"));
}

TEST(ExpectedTree, AResultThatOthersReadStaysAsItIs) {
  OnnxBuilder model = image_model();
  model.node("Conv", {"x", "w"}, {"c"}).ints("pads", {1, 1, 1, 1});
  model.node("Relu", {"c"}, {"r"});
  model.node("Sigmoid", {"c"}, {"g"});
  model.output("r").output("g");
  EXPECT_THAT(
      Expected(model).operators(),
      ElementsAre("ReorderInput", "Conv", "Relu", "ReorderOutput", "Sigmoid", "ReorderOutput"));
}

TEST(ExpectedTree, ABoundThatDependsOnDataIsNoFusedActivation) {
  OnnxBuilder model = image_model();
  model.input("most", DataType::Float32, {});
  model.node("Conv", {"x", "w"}, {"c"});
  model.node("Clip", {"c", "", "most"}, {"y"});
  model.output("y");
  EXPECT_THAT(Expected(model).operators(),
              ElementsAre("ReorderInput", "Conv", "ReorderOutput", "Clip"));
}

TEST(ExpectedTree, WhatFollowsFromShapesIsComputedBeforeTheRun) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 6, 4});
  model.integers("first", {0});
  model.integers("rest", {-1});
  model.node("Shape", {"x"}, {"shape"});
  model.node("Gather", {"shape", "first"}, {"batch"});
  model.node("Concat", {"batch", "rest"}, {"rows"}).integer("axis", 0);
  model.node("Identity", {"x"}, {"same"});
  model.node("Reshape", {"same", "rows"}, {"y"});
  model.output("y");
  const Expected expected(model);
  EXPECT_THAT(expected.operators(), ElementsAre("Reshape"));
  const auto& node = expected.tree().graph->main.nodes.front();
  EXPECT_EQ(expected.tree().inference.values[node.outputs[0]].dims, (Dims{2, 24}));
}

TEST(ExpectedTree, WhatIsRandomIsComputedInEveryRun) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {4});
  model.initializer("chances", DataType::Float32, {4});
  model.node("Bernoulli", {"chances"}, {"kept"});
  model.node("Mul", {"x", "kept"}, {"y"});
  model.output("y");
  EXPECT_THAT(Expected(model).operators(), ElementsAre("Bernoulli", "Mul"));
}

TEST(ExpectedTree, SpeltOutLayerNormalisationAndGeluAreOneOperatorEach) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 6, 32});
  for (const char* name : {"weight", "bias"}) model.initializer(name, DataType::Float32, {32});
  model.reals("two", {2}).reals("epsilon", {1e-5F}).reals("root", {1.41421354F});
  model.reals("one", {1}).reals("half", {0.5F});
  model.node("ReduceMean", {"x"}, {"mean"}).ints("axes", {-1});
  model.node("Sub", {"x", "mean"}, {"d"});
  model.node("Pow", {"d", "two"}, {"squares"});
  model.node("ReduceMean", {"squares"}, {"variance"}).ints("axes", {-1});
  model.node("Add", {"variance", "epsilon"}, {"positive"});
  model.node("Sqrt", {"positive"}, {"deviation"});
  model.node("Div", {"d", "deviation"}, {"standard"});
  model.node("Mul", {"standard", "weight"}, {"weighted"});
  model.node("Add", {"weighted", "bias"}, {"n"});
  model.node("Div", {"n", "root"}, {"scaled"});
  model.node("Erf", {"scaled"}, {"e"});
  model.node("Add", {"e", "one"}, {"more"});
  model.node("Mul", {"n", "more"}, {"product"});
  model.node("Mul", {"product", "half"}, {"y"});
  model.output("y");
  EXPECT_THAT(Expected(model).operators(), ElementsAre("LayerNormalization", "Gelu"));
}

TEST(ExpectedTree, AProductTakesInTranspositionAndScale) {
  OnnxBuilder model;
  model.input("q", DataType::Float32, {2, 4, 6, 8});
  model.input("k", DataType::Float32, {2, 4, 6, 8});
  model.reals("scale", {0.35F});
  model.node("Transpose", {"k"}, {"turned"}).ints("perm", {0, 1, 3, 2});
  model.node("MatMul", {"q", "turned"}, {"scores"});
  model.node("Mul", {"scores", "scale"}, {"y"});
  model.output("y");
  const Expected expected(model);
  EXPECT_THAT(expected.operators(), ElementsAre("FusedMatMul"));
  EXPECT_EQ(expected.tree().root.totals.macs.known(), 2 * 4 * 6 * 6 * 8);
}

TEST(ExpectedTree, WhatIsComputedTwiceRunsOnce) {
  OnnxBuilder model = image_model();
  model.reals("zero", {0}).reals("none", {0});
  model.node("Relu", {"x"}, {"r1"});
  model.node("Relu", {"x"}, {"r2"});
  model.node("Mul", {"r1", "zero"}, {"z1"});
  model.node("Mul", {"r2", "none"}, {"z2"});
  model.node("AveragePool", {"x"}, {"p1"}).ints("kernel_shape", {3, 3}).ints("pads", {1, 1, 1, 1});
  model.node("AveragePool", {"x"}, {"p2"}).ints("kernel_shape", {1, 1});
  model.node("Sum", {"z1", "z2", "p1", "p2"}, {"y"});
  model.output("y");
  EXPECT_THAT(Expected(model).operators(),
              ElementsAre("Relu", "Mul", "ReorderInput", "AveragePool", "ReorderOutput",
                          "AveragePool", "ReorderOutput", "Sum"))
      << "windows of other sizes are not equal";
}

TEST(ExpectedTree, WithoutBlocksOfChannelsNothingIsReordered) {
  OnnxBuilder model = image_model();
  model.node("Conv", {"x", "w"}, {"c"}).ints("pads", {1, 1, 1, 1});
  model.node("Add", {"c", "x"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  const auto graph = std::make_shared<const Graph>(read_onnx(bytes, "model.onnx"));
  const ModelTree tree =
      expected_tree(build_tree(graph, {}), {}, Runner::OnnxRuntime, ChannelLayout::Plain);
  ASSERT_EQ(tree.graph->main.nodes.size(), 1U);
  EXPECT_EQ(tree.graph->main.nodes[0].op, "FusedConv");
}

TEST(ExpectedTree, WhatNobodyReadsIsNotRun) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {4});
  model.node("Relu", {"x"}, {"unread"});
  model.node("Dropout", {"x"}, {"y"});
  model.output("y");
  EXPECT_THAT(Expected(model).operators(), ElementsAre("Dropout"))
      << "what makes an output of the graph stays";
}

}  // namespace
}  // namespace jouletree
