#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Convolution, CountsKernelAndChannelsForEveryOutput) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 3, 224, 224});
  model.initializer("w", DataType::Float32, {64, 3, 7, 7});
  model.initializer("b", DataType::Float32, {64});
  model.node("Conv", {"x", "w", "b"}, {"y"}).ints("pads", {3, 3, 3, 3}).ints("strides", {2, 2});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 64, 112, 112}));
  const std::int64_t outputs = 2 * 64 * 112 * 112;
  EXPECT_EQ(got.work("Conv").macs, Count(outputs * 147));
  EXPECT_EQ(got.work("Conv").flops, Count(outputs * (2 * 147 + 1)));
  EXPECT_EQ(got.work("Conv").read_bytes, Count(4 * (2 * 3 * 224 * 224 + 64 * 147 + 64)));
}

TEST(Convolution, CountsGroupedChannelsOnce) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 32, 8, 8});
  model.initializer("w", DataType::Float32, {32, 1, 3, 3});
  model.node("Conv", {"x", "w"}, {"y"}).ints("pads", {1, 1, 1, 1}).integer("group", 32);
  model.output("y");
  EXPECT_EQ(inspect(model).work("Conv").macs, Count(32 * 8 * 8 * 9));
}

TEST(Convolution, PadsForTheSameSizeDividedByTheStride) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 1, 9, 10});
  model.initializer("w", DataType::Float32, {1, 1, 3, 3});
  model.node("Conv", {"x", "w"}, {"y"}).text("auto_pad", "SAME_UPPER").ints("strides", {2, 4});
  model.node("Conv", {"x", "w"}, {"z"}).text("auto_pad", "VALID").ints("dilations", {3, 4});
  model.output("y").output("z");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 1, 5, 3}));
  EXPECT_EQ(got.dims("z"), (Dims{1, 1, 3, 2}));
}

TEST(Convolution, RefusesShapesThatDoNotFit) {
  OnnxBuilder channels;
  channels.input("x", DataType::Float32, {1, 4, 9, 9});
  channels.initializer("w", DataType::Float32, {2, 3, 3, 3});
  channels.node("Conv", {"x", "w"}, {"y"});
  channels.output("y");
  EXPECT_THAT(error_of(channels), HasSubstr("need an input of 3 channels, not 4"));

  OnnxBuilder small;
  small.input("x", DataType::Float32, {1, 3, 2, 2});
  small.initializer("w", DataType::Float32, {2, 3, 3, 3});
  small.node("Conv", {"x", "w"}, {"y"});
  small.output("y");
  EXPECT_THAT(error_of(small), HasSubstr("larger than the padded input"));

  OnnxBuilder stride;
  stride.input("x", DataType::Float32, {1, 3, 5, 5});
  stride.initializer("w", DataType::Float32, {2, 3, 3, 3});
  stride.node("Conv", {"x", "w"}, {"y"}).ints("strides", {0, 1});
  stride.output("y");
  EXPECT_THAT(error_of(stride), HasSubstr("strides should be positive"));
}

TEST(Convolution, TransposedGrowsByStrideAndOutputPadding) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 4, 5, 5});
  model.initializer("w", DataType::Float32, {4, 3, 3, 3});
  model.node("ConvTranspose", {"x", "w"}, {"y"})
      .name("up")
      .ints("strides", {2, 2})
      .ints("output_padding", {1, 1})
      .ints("pads", {1, 1, 1, 1})
      .integer("group", 2);
  model.node("ConvTranspose", {"x", "w"}, {"same"})
      .name("same")
      .ints("strides", {2, 2})
      .text("auto_pad", "SAME_LOWER")
      .ints("output_padding", {1, 1});
  model.node("ConvTranspose", {"x", "w"}, {"wanted"}).name("wanted").ints("output_shape", {6, 5});
  model.output("y").output("same").output("wanted");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 6, 10, 10}));
  EXPECT_EQ(got.work("up").macs, Count(4 * 5 * 5 * 3 * 9));
  EXPECT_EQ(got.dims("same"), (Dims{1, 3, 10, 10}));
  EXPECT_EQ(got.dims("wanted"), (Dims{1, 3, 6, 5}));
}

TEST(Convolution, TakesPadsOfATransposedOneFromAnInput) {
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::Float32, {1, 4, 5, 5});
  model.initializer("w", DataType::Float32, {4, 3, 3, 3});
  model.integers("pads", {1, 0, 1, 0});
  model.node("ConvTransposeWithDynamicPads", {"x", "w", "pads"}, {"y"}).domain("com.microsoft");
  model.output("y");
  EXPECT_EQ(inspect(model).dims("y"), (Dims{1, 3, 5, 7}));
}

TEST(Convolution, QuantizedHasTheTypeOfItsZeroPoint) {
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::UInt8, {1, 8, 8, 16});
  model.initializer("w", DataType::Int8, {32, 16, 3, 3});
  model.reals("scale", {1.0F});
  model.initializer("zero", DataType::UInt8, {});
  model.initializer("w_zero", DataType::Int8, {});
  model.initializer("y_zero", DataType::Int8, {});
  model
      .node("QLinearConv", {"x", "scale", "zero", "w", "scale", "w_zero", "scale", "y_zero"}, {"y"})
      .domain("com.microsoft")
      .integer("channels_last", 1);
  model.output("y", DataType::Int8);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 6, 6, 32}));
  EXPECT_EQ(got.type("y"), DataType::Int8);
  EXPECT_EQ(got.work("QLinearConv").macs, Count(6 * 6 * 32 * 16 * 9));
}

TEST(Convolution, FusedCountsItsActivationAndItsSum) {
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::Float32, {1, 2, 4, 4});
  model.input("z", DataType::Float32, {1, 3, 4, 4});
  model.initializer("w", DataType::Float32, {3, 2, 1, 1});
  model.initializer("b", DataType::Float32, {3});
  model.node("FusedConv", {"x", "w", "b", "z"}, {"y"})
      .domain("com.microsoft")
      .text("activation", "Relu");
  model.output("y");
  EXPECT_EQ(inspect(model).work("FusedConv").flops, Count(3 * 16 * (2 * 2 + 3)));
}

TEST(Convolution, BlockedLayoutFillsChannelsUp) {
  OnnxBuilder model;
  model.import_domain("com.microsoft.nchwc", 1);
  model.input("x", DataType::Float32, {1, 60, 8, 8});
  model.initializer("w", DataType::Float32, {32, 64, 3, 3});
  model.node("ReorderInput", {"x"}, {"blocked"}).domain("com.microsoft.nchwc");
  model.node("Conv", {"blocked", "w"}, {"c"}).domain("com.microsoft.nchwc");
  model.node("ReorderOutput", {"c"}, {"y"}).domain("com.microsoft.nchwc").integer("channels", 28);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("blocked"), (Dims{1, 64, 8, 8}));
  EXPECT_EQ(got.dims("c"), (Dims{1, 32, 6, 6}));
  EXPECT_EQ(got.dims("y"), (Dims{1, 28, 6, 6}));
}

TEST(Convolution, SaysWhereTheBlockSizeIsThatOfThisMachine) {
  OnnxBuilder model;
  model.import_domain("com.microsoft.nchwc", 1);
  model.input("x", DataType::Float32, {1, 72, 8, 8});
  model.node("ReorderInput", {"x"}, {"y"}).domain("com.microsoft.nchwc");
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_THAT(got.dims("y")[1], AnyOf(72, 80));
  EXPECT_THAT(got.notes(), ElementsAre(HasSubstr("as on this machine")));
}

TEST(Convolution, DeformedInterpolatesEveryTap) {
  OnnxBuilder model(19);
  model.input("x", DataType::Float32, {1, 4, 6, 6});
  model.initializer("w", DataType::Float32, {5, 4, 2, 2});
  model.input("offset", DataType::Float32, {1, 8, 5, 5});
  model.node("DeformConv", {"x", "w", "offset"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 5, 5, 5}));
  EXPECT_EQ(got.work("DeformConv").macs, Count(5 * 25 * 16));
  EXPECT_EQ(got.work("DeformConv").flops, Count(2 * 5 * 25 * 16 + 4 * 25 * 4 * 7));
}

TEST(Convolution, CausalCarriesWhatTheKernelReachesBack) {
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::Float16, {2, 6, 9});
  model.initializer("w", DataType::Float16, {6, 1, 4});
  model.node("CausalConvWithState", {"x", "w"}, {"y", "state"})
      .domain("com.microsoft")
      .text("activation", "silu");
  model.output("y", DataType::Float16).output("state", DataType::Float16);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 6, 9}));
  EXPECT_EQ(got.dims("state"), (Dims{2, 6, 3}));
  EXPECT_EQ(got.work("CausalConvWithState").macs, Count(2 * 6 * 9 * 4));
}

}  // namespace
}  // namespace jouletree::test
