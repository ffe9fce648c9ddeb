#include "engines/onnxruntime/original_scopes.hpp"

#include <gtest/gtest.h>

#include "model/named_constants.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::engines {
namespace {

using model::OnnxBuilder;

OnnxBuilder residual_block() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 3, 8, 8});
  model.initializer("w", DataType::Float32, {3, 3, 3, 3});
  const std::vector<std::int64_t> pads{1, 1, 1, 1};
  model.node("Conv", {"x", "w"}, {"a"}).name("/block/conv1/Conv").ints("pads", pads);
  model.node("Relu", {"a"}, {"b"}).name("/block/relu/Relu");
  model.node("Conv", {"b", "w"}, {"c"}).name("/block/conv2/Conv").ints("pads", pads);
  model.node("Add", {"c", "x"}, {"d"}).name("/block/Add");
  model.node("Relu", {"d"}, {"e"}).name("/block/relu_1/Relu");
  model.output("e");
  return model;
}

std::string path_of(const Node& node) {
  std::string path;
  for (const ModuleStep& step : node.modules) path += "/" + std::string(step.name);
  return path;
}

/// What `told` says of the nodes of `optimised` after they were put into the modules of `original`.
std::vector<std::string> of_nodes(const OnnxBuilder& original, const OnnxBuilder& optimised,
                                  std::string (*told)(const Node&)) {
  const std::string from_bytes = original.model_bytes();
  const std::string to_bytes = optimised.model_bytes();
  Graph from = read_onnx(from_bytes, "original.onnx");
  model::fold_named_constants(from);
  Graph to = read_onnx(to_bytes, "optimised.onnx");
  take_original_scopes(from, infer(from, {}), to);
  std::vector<std::string> found;
  for (const Node& node : to.main.nodes) found.push_back(told(node));
  return found;
}

/// Paths of the modules that the nodes of `optimised` get from `original`.
std::vector<std::string> paths(const OnnxBuilder& original, const OnnxBuilder& optimised) {
  return of_nodes(original, optimised, path_of);
}

using Paths = std::vector<std::string>;

constexpr const char* kMicrosoft = "com.microsoft";
constexpr const char* kBlocked = "com.microsoft.nchwc";

TEST(OriginalScopes, APlainOperatorKeepsItsModule) {
  const Paths found = paths(residual_block(), residual_block());
  EXPECT_EQ(found[0], "/block/conv1");
  EXPECT_EQ(found[3], "/block");
}

TEST(OriginalScopes, WhatTheFileNamesKeepsItsName) {
  OnnxBuilder file(17);
  file.input("x", DataType::Float32, {1, 4});
  file.initializer("w", DataType::Float32, {4, 4});
  file.node("MatMul", {"x", "w"}, {"a"}).name("/block/scores");
  file.node("Relu", {"a"}, {"b"}).name("/block/act");
  file.node("MatMul", {"b", "w"}, {"c"}).name("/block/values");
  file.output("c");
  OnnxBuilder fused(17);
  fused.import_domain(kMicrosoft, 1);
  fused.input("x", DataType::Float32, {1, 4});
  fused.initializer("w", DataType::Float32, {4, 4});
  fused.node("FusedGemm", {"x", "w"}, {"b"}).domain(kMicrosoft).name("fused /block/scores");
  fused.node("MatMul", {"b", "w"}, {"c"}).name("made_up/values_2");
  fused.output("c");
  const auto name = [](const Node& node) { return std::string(node.name); };
  EXPECT_EQ(of_nodes(file, fused, name), (Paths{"FusedGemm", "values"}));
}

TEST(OriginalScopes, AFusedOperatorBelongsToTheModuleThatDoesMostOfTheWork) {
  OnnxBuilder fused(17);
  fused.import_domain(kMicrosoft, 1);
  fused.input("x", DataType::Float32, {1, 3, 8, 8});
  fused.initializer("w", DataType::Float32, {3, 3, 3, 3});
  fused.node("FusedConv", {"x", "w"}, {"b"}).domain(kMicrosoft).name("anything");
  fused.node("FusedConv", {"b", "w", "", "x"}, {"e"}).domain(kMicrosoft).name("other");
  fused.output("e");
  EXPECT_EQ(paths(residual_block(), fused), (Paths{"/block/conv1", "/block/conv2"}));
}

TEST(OriginalScopes, EqualPartsMeetInTheModuleAroundThem) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4, 8});
  model.initializer("w", DataType::Float32, {8, 8});
  model.node("MatMul", {"x", "w"}, {"q"}).name("/layer/attention/query/MatMul");
  model.node("MatMul", {"x", "w"}, {"k"}).name("/layer/attention/key/MatMul");
  model.node("Mul", {"q", "k"}, {"y"}).name("/layer/attention/Mul");
  model.output("y");
  OnnxBuilder fused(17);
  fused.import_domain(kMicrosoft, 1);
  fused.input("x", DataType::Float32, {4, 8});
  fused.initializer("qk", DataType::Float32, {8, 16});
  fused.node("Attention", {"x", "qk"}, {"y"}).domain(kMicrosoft).name("Attention_fused");
  fused.output("y");
  EXPECT_EQ(paths(model, fused), Paths{"/layer/attention"});
}

/// In the blocked layout values lose their names; nodes are named after the values instead.
TEST(OriginalScopes, BlockedConvolutionsAreFoundByTheirNames) {
  OnnxBuilder blocked(17);
  blocked.import_domain(kBlocked, 1);
  blocked.input("x", DataType::Float32, {1, 3, 8, 8});
  blocked.initializer("w", DataType::Float32, {3, 3, 3, 3});
  blocked.node("Conv", {"x", "w"}, {"token_0"})
      .domain(kBlocked)
      .name("b_nchwc")
      .text("activation", "Relu");
  blocked.node("Conv", {"token_0", "w", "", "x"}, {"token_1"})
      .domain(kBlocked)
      .name("c_nchwc")
      .text("activation", "Relu");
  blocked.node("ReorderOutput", {"token_1"}, {"e"}).domain(kBlocked).name("ReorderOutput");
  blocked.output("e");
  EXPECT_EQ(paths(residual_block(), blocked),
            (Paths{"/block/conv1", "/block/conv2", "/block/relu_1"}));
}

/// A normalisation that follows no convolution becomes one, and takes in the activation behind it.
TEST(OriginalScopes, ANormalisationThatBecameAConvolutionKeepsItsModule) {
  OnnxBuilder dense(17);
  dense.input("x", DataType::Float32, {1, 8, 8, 8});
  dense.initializer("n", DataType::Float32, {8});
  dense.initializer("w", DataType::Float32, {8, 8, 1, 1});
  dense.node("BatchNormalization", {"x", "n", "n", "n", "n"}, {"a"}).name("/layer/norm1/Norm");
  dense.node("Relu", {"a"}, {"b"}).name("/layer/relu1/Relu");
  dense.node("Conv", {"b", "w"}, {"c"}).name("/layer/conv1/Conv");
  dense.node("BatchNormalization", {"c", "n", "n", "n", "n"}, {"d"}).name("/layer/norm2/Norm");
  dense.output("d");
  OnnxBuilder blocked(17);
  blocked.import_domain(kBlocked, 1);
  blocked.input("x", DataType::Float32, {1, 8, 8, 8});
  blocked.initializer("n_bn", DataType::Float32, {8, 1, 1, 1});
  blocked.initializer("w", DataType::Float32, {8, 8, 1, 1});
  blocked.node("Conv", {"x", "n_bn"}, {"token_0"})
      .domain(kBlocked)
      .name("a_bn_nchwc")
      .text("activation", "Relu")
      .integer("group", 8);
  blocked.node("Conv", {"token_0", "w"}, {"token_1"}).domain(kBlocked).name("c_nchwc");
  blocked.node("Conv", {"token_1", "n_bn"}, {"token_2"})
      .domain(kBlocked)
      .name("d_bn_nchwc")
      .integer("group", 8);
  blocked.node("ReorderOutput", {"token_2"}, {"d"}).domain(kBlocked).name("ReorderOutput");
  blocked.output("d");
  EXPECT_EQ(paths(dense, blocked),
            (Paths{"/layer/norm1", "/layer/conv1", "/layer/norm2", "/layer/norm2"}));
}

/// PyTorch stores equal biases once; the others are names at the root.
TEST(OriginalScopes, NamesOfConstantsMoveNobody) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 4, 8, 8});
  model.initializer("w", DataType::Float32, {4, 4, 1, 1});
  model.initializer("conv1.bias", DataType::Float32, {4});
  model.node("Identity", {"conv1.bias"}, {"conv2.bias"}).name("Identity_0");
  model.node("Conv", {"x", "w", "conv1.bias"}, {"a"}).name("/layer1/conv1/Conv");
  model.node("Conv", {"a", "w", "conv2.bias"}, {"b"}).name("/layer1/conv2/Conv");
  model.output("b");
  OnnxBuilder folded(17);
  folded.input("x", DataType::Float32, {1, 4, 8, 8});
  folded.initializer("w", DataType::Float32, {4, 4, 1, 1});
  folded.initializer("conv1.bias", DataType::Float32, {4});
  folded.node("Conv", {"x", "w", "conv1.bias"}, {"a"});
  folded.node("Conv", {"a", "w", "conv1.bias"}, {"b"});
  folded.output("b");
  EXPECT_EQ(paths(model, folded), (Paths{"/layer1/conv1", "/layer1/conv2"}));
}

/// Weights that are computed elsewhere, and sizes that come from far above, are constants when the
/// engine runs.
TEST(OriginalScopes, WhatComputesConstantsMovesNobody) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4, 8});
  model.initializer("w", DataType::Int8, {8, 8});
  model.reals("scale", {1});
  model.node("DequantizeLinear", {"w", "scale"}, {"wf"}).name("/weights/DequantizeLinear");
  model.node("Transpose", {"wf"}, {"wt"}).name("/weights/Transpose");
  model.node("Shape", {"x"}, {"s"}).name("/Shape");
  model.node("Relu", {"x"}, {"r"}).name("/first/Relu");
  model.node("MatMul", {"r", "wt"}, {"m"}).name("/layer/dense/MatMul");
  model.node("Reshape", {"m", "s"}, {"y"}).name("/layer/Reshape");
  model.output("y");
  OnnxBuilder folded(17);
  folded.input("x", DataType::Float32, {4, 8});
  folded.initializer("folded", DataType::Float32, {8, 8});
  folded.integers("sizes", {4, 8});
  folded.node("Relu", {"x"}, {"r"});
  folded.node("MatMul", {"r", "folded"}, {"m"});
  folded.node("Reshape", {"m", "sizes"}, {"y"});
  folded.output("y");
  EXPECT_EQ(paths(model, folded), (Paths{"/first", "/layer/dense", "/layer"}));
}

/// Layouts, casts and the like that are in no file.
TEST(OriginalScopes, WhatTheEngineAddsStandsWithWhomItIsFor) {
  OnnxBuilder changed(17);
  changed.input("x", DataType::Float32, {1, 3, 8, 8});
  changed.initializer("w", DataType::Float32, {3, 3, 3, 3});
  changed.node("Transpose", {"x"}, {"x_nhwc"}).name("added before");
  changed.node("Conv", {"x_nhwc", "w"}, {"a_nhwc"}).name("conv in another layout");
  changed.node("Transpose", {"a_nhwc"}, {"a"}).name("added behind");
  changed.node("Relu", {"a"}, {"b"});
  changed.output("b");
  EXPECT_EQ(paths(residual_block(), changed),
            (Paths{"/block/conv1", "/block/conv1", "/block/conv1", "/block/relu"}));
}

TEST(OriginalScopes, OperatorsWithoutInputsKeepTheirModule) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4});
  model.integers("size", {4});
  model.node("RandomNormal", {}, {"noise"}).name("/noise/RandomNormal").ints("shape", {4});
  model.node("Add", {"x", "noise"}, {"y"}).name("/Add");
  model.output("y");
  EXPECT_EQ(paths(model, model), (Paths{"/noise", ""}));
}

TEST(OriginalScopes, ABranchKeepsItsName) {
  OnnxBuilder branch(17);
  branch.node("Abs", {"x"}, {"t"}).name("/block/If_7/Abs");
  branch.output("t");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4});
  model.input("c", DataType::Bool, {});
  model.node("If", {"c"}, {"y"})
      .name("/block/If_7")
      .graph("then_branch", branch)
      .graph("else_branch", branch);
  model.output("y");
  const std::string bytes = model.model_bytes();
  const Graph from = read_onnx(bytes, "original.onnx");
  Graph to = read_onnx(bytes, "optimised.onnx");
  take_original_scopes(from, infer(from, {}), to);
  EXPECT_EQ(path_of(to.main.nodes[0]), "/block");
  EXPECT_EQ(to.main.nodes[0].name, "If_7");
}

TEST(OriginalScopes, FilesWithoutModulesLeaveOperatorsAtTheRoot) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4});
  model.node("Relu", {"x"}, {"a"});
  model.node("Abs", {"a"}, {"y"}).name("p2o.Abs.0");
  model.output("y");
  EXPECT_EQ(paths(model, model), (Paths{"", ""}));
}

/// As a branch of an If: results go on under other names, outside of the module that made them.
OnnxBuilder state_that_is_handed_on() {
  OnnxBuilder model(17);
  model.input("h", DataType::Float32, {1, 4}).input("c", DataType::Float32, {1, 4});
  model.node("Concat", {"h", "c"}, {"inner"}).name("/decoder/rnn/Concat").integer("axis", 0);
  model.node("Identity", {"inner"}, {"state"}).name("Identity_1");
  model.output("state");
  return model;
}

TEST(OriginalScopes, AnIdentityBehindAnOperatorDoesNotMoveIt) {
  OnnxBuilder optimised(17);
  optimised.input("h", DataType::Float32, {1, 4}).input("c", DataType::Float32, {1, 4});
  optimised.node("Concat", {"h", "c"}, {"state"}).integer("axis", 0);
  optimised.output("state");
  EXPECT_EQ(paths(state_that_is_handed_on(), optimised), Paths{"/decoder/rnn"});
}

TEST(OriginalScopes, OfOperatorsThatMoveDataTheSameOneTellsTheModule) {
  OnnxBuilder original(17);
  original.input("x", DataType::Float32, {2, 4});
  original.node("Transpose", {"x"}, {"a"}).name("/attention/Transpose");
  original.node("Unsqueeze", {"a", "axes"}, {"y"}).name("/pool/Unsqueeze");
  original.initializer("axes", DataType::Int64, {1}, std::string(8, '\0'));
  original.output("y");
  OnnxBuilder optimised(17);
  optimised.input("x", DataType::Float32, {2, 4});
  optimised.node("Transpose", {"x"}, {"y"});
  optimised.output("y");
  EXPECT_EQ(paths(original, optimised), Paths{"/attention"});
}

}  // namespace
}  // namespace jouletree::engines
