#include "jouletree/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/tree.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;

Totals totals_of(const OnnxBuilder& model) {
  const std::string bytes = model.model_bytes();
  return build_tree(std::make_shared<const Graph>(read_onnx(bytes, "m.onnx")), {}).root.totals;
}

TEST(Parameters, SharedTensorsCountOnce) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8});
  model.initializer("w", DataType::Float32, {8, 8});
  model.node("MatMul", {"x", "w"}, {"a"});
  model.node("MatMul", {"a", "w"}, {"y"});
  model.output("y");
  EXPECT_EQ(totals_of(model).params, 64);
  EXPECT_EQ(totals_of(model).weight_bytes, 256);
}

TEST(Parameters, NamesForTheSameExternalBytesCountOnce) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8});
  model.external_initializer("w1", DataType::Float32, {8, 8}, "w.bin", 0, 256);
  model.external_initializer("w2", DataType::Float32, {8, 8}, "w.bin", 0, 256);
  model.external_initializer("w3", DataType::Float32, {8, 8}, "w.bin", 256, 256);
  model.node("MatMul", {"x", "w1"}, {"a"});
  model.node("MatMul", {"a", "w2"}, {"b"});
  model.node("MatMul", {"b", "w3"}, {"y"});
  model.output("y");
  EXPECT_EQ(totals_of(model).params, 128);
}

TEST(Parameters, RunningStatisticsAreStoredButNotTrained) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8, 4, 4});
  for (const char* name : {"scale", "bias", "mean", "var"})
    model.initializer(name, DataType::Float32, {8});
  // Exporters store equal tensors once and hand them on.
  model.node("Identity", {"mean"}, {"same_mean"});
  model.node("BatchNormalization", {"x", "scale", "bias", "same_mean", "var"}, {"y"});
  model.output("y");
  EXPECT_EQ(totals_of(model).params, 16);
  EXPECT_EQ(totals_of(model).statistics, 16);
}

TEST(Parameters, SettingsOfTheArchitectureAreNotTrained) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 6}).input("ids", DataType::Int64, {3});
  model.integers("shape", {3, 4}).reals("half", {0.5F});
  model.initializer("positions", DataType::Int64, {1, 512});
  model.node("Reshape", {"x", "shape"}, {"a"});
  model.node("Mul", {"a", "half"}, {"y"});
  model.node("Gather", {"positions", "ids"}, {"z"}).integer("axis", 1);
  model.output("y").output("z");
  EXPECT_EQ(totals_of(model).params, 0);
}

TEST(Parameters, QuantisedWeightsAreParametersTheirScalesAreNot) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8});
  model.initializer("w", DataType::Int8, {8, 4}).initializer("scale", DataType::Float32, {4});
  model.initializer("zero", DataType::Int8, {4});
  model.node("DequantizeLinear", {"w", "scale", "zero"}, {"real"}).integer("axis", 1);
  model.node("MatMul", {"x", "real"}, {"y"});
  model.output("y");
  EXPECT_EQ(totals_of(model).params, 32);
}

TEST(Parameters, ScalesOfDynamicQuantisationAreNotTrained) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8});
  model.initializer("w", DataType::Int8, {8, 4}).initializer("w_scale", DataType::Float32, {4});
  model.node("DynamicQuantizeLinear", {"x"}, {"q", "x_scale", "zero"});
  model.node("MatMulInteger", {"q", "w", "zero"}, {"i"});
  model.node("Cast", {"i"}, {"f"}).integer("to", 1);
  model.node("Mul", {"x_scale", "w_scale"}, {"scale"});
  model.node("Mul", {"f", "scale"}, {"y"});
  model.output("y");
  EXPECT_EQ(totals_of(model).params, 32);
}

TEST(Parameters, WeightsInConstantNodesAreParametersMasksAreNot) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 2, 4});
  model.node("Constant", {}, {"w"})
      .tensor("value", DataType::Float32, {4, 4}, std::string(64, '\0'));
  model.node("Constant", {}, {"mask"})
      .tensor("value", DataType::Float32, {2, 4}, std::string(32, '\0'));
  model.node("MatMul", {"x", "w"}, {"a"});
  model.node("Add", {"a", "mask"}, {"y"});
  model.output("y");
  EXPECT_EQ(totals_of(model).params, 16);
}

TEST(Parameters, ModulesThatShareATensorEachShowItAndTheirParentOnce) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8});
  model.initializer("w", DataType::Float32, {8, 8});
  model.node("MatMul", {"x", "w"}, {"a"}).name("/first/MatMul");
  model.node("MatMul", {"a", "w"}, {"y"}).name("/second/MatMul");
  model.output("y");
  const std::string bytes = model.model_bytes();
  const ModelTree tree = build_tree(std::make_shared<const Graph>(read_onnx(bytes, "m.onnx")), {});
  EXPECT_EQ(tree.root.children[0].totals.params, 64);
  EXPECT_EQ(tree.root.children[1].totals.params, 64);
  EXPECT_EQ(tree.root.totals.params, 64);
}

TEST(Parameters, TellsThatNormalisationWasFolded) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 3, 8, 8});
  model.initializer("onnx::Conv_12", DataType::Float32, {4, 3, 3, 3});
  model.initializer("onnx::Conv_13", DataType::Float32, {4});
  model.node("Conv", {"x", "onnx::Conv_12", "onnx::Conv_13"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  EXPECT_THAT(folded_normalization_note(read_onnx(bytes, "m.onnx")), HasSubstr("1 of 1"));
}

}  // namespace
}  // namespace jouletree::test
