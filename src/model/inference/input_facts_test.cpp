#include "model/inference/input_facts.hpp"

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using model::AxisKind;
using model::InputFacts;

InputFacts facts_of_input(const model::OnnxBuilder& model) {
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  return model::facts_about(graph, graph.main.inputs[0]);
}

/// An image or its like that an operator takes before a convolution does.
InputFacts convolved_behind(std::string_view op, std::string_view domain = "") {
  OnnxBuilder model(21);
  if (!domain.empty()) model.import_domain(domain, 1);
  model.symbolic_input("x", DataType::Float32, {"batch", "channels", "height", "width"});
  model.initializer("w", DataType::Float32, {8, 3, 3, 3});
  model.node(op, {"x"}, {"t"}).domain(domain).ints("kernel_shape", {2, 2});
  model.node("Conv", {"t", "w"}, {"y"});
  model.output("y");
  return facts_of_input(model);
}

TEST(InputFacts, AnInputIsFollowedThroughEveryOperatorThatKeepsItsAxes) {
  for (const char* const op : {"Relu", "Gelu", "HardSwish", "Erf", "Sin", "Swish", "Identity",
                               "Dropout", "LpNormalization", "Not", "MaxPool", "AveragePool"}) {
    SCOPED_TRACE(op);
    const InputFacts facts = convolved_behind(op);
    ASSERT_EQ(facts.axes.size(), 4U);
    EXPECT_EQ(facts.axes[1].demanded, 3);
    EXPECT_EQ(facts.axes[3].kind, AxisKind::ImageSide);
  }
  EXPECT_EQ(convolved_behind("QuickGelu", "com.microsoft").axes[1].demanded, 3);
}

TEST(InputFacts, OperatorsThatMixAxesTellNothing) {
  for (const char* const op : {"Flatten", "DepthToSpace", "GlobalAveragePool", "Unheard"})
    EXPECT_EQ(convolved_behind(op).axes[1].demanded, std::nullopt) << op;
  EXPECT_EQ(convolved_behind("Relu", "my.domain").axes[1].demanded, std::nullopt)
      << "somebody else's operator";
}

TEST(InputFacts, NormalisationsTellTheLengthOfWhatTheyScale) {
  for (const char* const op : {"LayerNormalization", "RMSNormalization"}) {
    OnnxBuilder model(23);
    model.symbolic_input("x", DataType::Float32, {"batch", "length", "features"});
    model.initializer("scale", DataType::Float32, {96});
    model.node(op, {"x", "scale"}, {"y"});
    model.output("y");
    EXPECT_EQ(facts_of_input(model).axes[2].demanded, 96) << op;
  }
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"batch", "channels", "length"});
  for (const char* const name : {"scale", "shift", "mean", "variance"})
    model.initializer(name, DataType::Float32, {12});
  model.node("BatchNormalization", {"x", "scale", "shift", "mean", "variance"}, {"y"});
  model.output("y");
  EXPECT_EQ(facts_of_input(model).axes[1].demanded, 12);
}

TEST(InputFacts, ChannelsLieWhereTheConvolutionHasThem) {
  OnnxBuilder back;
  back.symbolic_input("x", DataType::Float32, {"batch", "channels", "height", "width"});
  back.initializer("w", DataType::Float32, {24, 8, 2, 2});
  back.node("ConvTranspose", {"x", "w"}, {"y"});
  back.output("y");
  EXPECT_EQ(facts_of_input(back).axes[1].demanded, 24);

  OnnxBuilder grouped;
  grouped.symbolic_input("x", DataType::Float32, {"batch", "channels", "height", "width"});
  grouped.initializer("w", DataType::Float32, {24, 1, 3, 3});
  grouped.node("Conv", {"x", "w"}, {"y"}).integer("group", 24);
  grouped.output("y");
  EXPECT_EQ(facts_of_input(grouped).axes[1].demanded, 24);
}

TEST(InputFacts, QuantisedOperatorsHaveTheirWeightsElsewhere) {
  OnnxBuilder model;
  model.shapeless_input("x", DataType::UInt8);
  model.initializer("scale", DataType::Float32, {}).initializer("zero", DataType::UInt8, {});
  model.initializer("w", DataType::UInt8, {8, 3, 5, 5});
  model.node("QLinearConv", {"x", "scale", "zero", "w", "scale", "zero", "scale", "zero"}, {"y"});
  model.output("y", DataType::UInt8);
  const InputFacts facts = facts_of_input(model);
  ASSERT_EQ(facts.axes.size(), 4U) << "the rank is that of the weights";
  EXPECT_EQ(facts.axes[1].demanded, 3);
}

TEST(InputFacts, WeightsAreFoundBehindWhatIsDoneToThem) {
  for (const char* const op : {"Cast", "Neg", "Tanh", "Identity"}) {
    OnnxBuilder model;
    model.symbolic_input("x", DataType::Float32, {"batch", "features"});
    model.initializer("stored", DataType::Float32, {40, 10});
    model.node(op, {"stored"}, {"w"}).integer("to", 1);
    model.node("MatMul", {"x", "w"}, {"y"}).integer("unused", 1);
    model.output("y");
    EXPECT_EQ(facts_of_input(model).axes[1].demanded, 40) << op;
  }
}

}  // namespace
}  // namespace jouletree::test
