#include <gtest/gtest.h>

#include "jouletree/parameters.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

TEST(Quantization, TakesTheTypeOfTheZeroPoint) {
  OnnxBuilder model(21);
  model.input("x", DataType::Float32, {2, 5}).reals("scale", {0.1F});
  model.initializer("zero", DataType::Int4, {1}, std::string_view("\0", 1));
  model.node("QuantizeLinear", {"x", "scale", "zero"}, {"y"});
  model.output("y", DataType::Int4);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::Int4);
  EXPECT_EQ(got.dims("y"), (Dims{2, 5}));
  EXPECT_EQ(got.work("QuantizeLinear").written_bytes, Count(5));
}

TEST(Quantization, TakesTheTypeOfTheAttributeWithoutAZeroPoint) {
  OnnxBuilder model(21);
  model.input("x", DataType::Float32, {4}).reals("scale", {0.1F});
  model.node("QuantizeLinear", {"x", "scale"}, {"asked"}).integer("output_dtype", 5);
  model.node("QuantizeLinear", {"x", "scale"}, {"spelt"}).integer("output_dtype", 0);
  model.node("QuantizeLinear", {"x", "scale"}, {"plain"});
  model.output("asked").output("spelt").output("plain");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("asked"), DataType::Int16);
  EXPECT_EQ(got.type("spelt"), DataType::UInt8);
  EXPECT_EQ(got.type("plain"), DataType::UInt8);
}

TEST(Quantization, RejectsATypeThatDoesNotExist) {
  OnnxBuilder model(21);
  model.input("x", DataType::Float32, {4}).reals("scale", {0.1F});
  model.node("QuantizeLinear", {"x", "scale"}, {"y"}).integer("output_dtype", 99);
  model.output("y");
  EXPECT_NE(error_of(model).find("output_dtype"), std::string::npos);
}

TEST(Quantization, DequantizesToTheTypeOfTheScale) {
  OnnxBuilder model(23);
  model.initializer("w", DataType::Int8, {3, 4}).initializer("scale", DataType::Float16, {});
  model.node("DequantizeLinear", {"w", "scale"}, {"y"});
  model.node("DequantizeLinear", {"w", "scale"}, {"z"}).integer("output_dtype", 1);
  model.output("y", DataType::Float16).output("z");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::Float16);
  EXPECT_EQ(got.type("z"), DataType::Float32);
}

TEST(Quantization, CountsDequantizedWeightsAsParametersButNotTheirScales) {
  OnnxBuilder model(13);
  model.initializer("w", DataType::Int8, {3, 4}).initializer("scale", DataType::Float32, {3});
  model.initializer("zero", DataType::Int8, {3});
  model.node("DequantizeLinear", {"w", "scale", "zero"}, {"y"}).integer("axis", 0);
  model.output("y");
  const Inspected got = inspect(model);
  std::int64_t params = 0;
  for (const ConstantUse& use : classify_constants(got.graph()).by_value)
    if (use.role == ConstantRole::Parameter) params += use.elements;
  EXPECT_EQ(params, 12);
}

TEST(Quantization, MakesScalarScaleAndZeroPointDynamically) {
  OnnxBuilder model(11);
  model.input("x", DataType::Float32, {6});
  model.node("DynamicQuantizeLinear", {"x"}, {"y", "scale", "zero"});
  model.output("y", DataType::UInt8).output("scale").output("zero", DataType::UInt8);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::UInt8);
  EXPECT_EQ(got.dims("scale"), Dims{});
  EXPECT_EQ(got.type("scale"), DataType::Float32);
  EXPECT_EQ(got.type("zero"), DataType::UInt8);
}

TEST(Quantization, BroadcastsQuantizedOperands) {
  OnnxBuilder model(17);
  model.import_domain(kMicrosoftDomain, 1);
  model.input("a", DataType::UInt8, {2, 1}).input("b", DataType::UInt8, {3});
  model.reals("s", {1.0F}).initializer("z", DataType::UInt8, {});
  model.node("QLinearAdd", {"a", "s", "z", "b", "s", "z", "s", "z"}, {"y"})
      .domain(kMicrosoftDomain);
  model.output("y", DataType::UInt8);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 3}));
  EXPECT_EQ(got.type("y"), DataType::UInt8);
}

TEST(Quantization, ConcatenatesTheTensorsBetweenTheirScales) {
  OnnxBuilder model(17);
  model.import_domain(kMicrosoftDomain, 1);
  model.input("a", DataType::UInt8, {2, 1, 4}).input("b", DataType::UInt8, {2, 3, 4});
  model.reals("s", {1.0F}).initializer("z", DataType::UInt8, {});
  model.node("QLinearConcat", {"s", "z", "a", "s", "z", "b", "s", "z"}, {"y"})
      .domain(kMicrosoftDomain)
      .integer("axis", 1);
  model.output("y", DataType::UInt8);
  EXPECT_EQ(inspect(model).dims("y"), (Dims{2, 4, 4}));
}

TEST(Quantization, SumsUnsignedBytesToUnsignedWords) {
  OnnxBuilder model(17);
  model.import_domain(kMicrosoftDomain, 1).input("x", DataType::UInt8, {2, 3, 4});
  model.node("ReduceSumInteger", {"x"}, {"y"})
      .domain(kMicrosoftDomain)
      .ints("axes", {-1, 0})
      .integer("keepdims", 0);
  model.output("y", DataType::UInt32);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::UInt32);
  EXPECT_EQ(got.dims("y"), (Dims{3}));
  EXPECT_EQ(got.work("ReduceSumInteger").flops, Count(24));
}

}  // namespace
}  // namespace jouletree::test
