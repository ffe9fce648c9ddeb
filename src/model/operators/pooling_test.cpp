#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;

TEST(Pooling, GivesIndicesOfTheMaxima) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 64, 112, 112});
  model.node("MaxPool", {"x"}, {"y", "where"})
      .ints("kernel_shape", {3, 3})
      .ints("strides", {2, 2})
      .ints("pads", {1, 1, 1, 1});
  model.output("y").output("where", DataType::Int64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 64, 56, 56}));
  EXPECT_EQ(got.dims("where"), (Dims{1, 64, 56, 56}));
  EXPECT_EQ(got.type("where"), DataType::Int64);
  EXPECT_EQ(got.work("MaxPool").macs, Count(0));
  EXPECT_EQ(got.work("MaxPool").flops, Count(64 * 56 * 56 * 8));
}

TEST(Pooling, CeilModeKeepsOnlyWindowsThatStartInside) {
  OnnxBuilder model(19);
  model.input("x", DataType::Float32, {1, 1, 5, 4});
  model.node("MaxPool", {"x"}, {"y"})
      .ints("kernel_shape", {2, 1})
      .ints("strides", {2, 2})
      .integer("ceil_mode", 1);
  model.output("y");
  EXPECT_EQ(inspect(model).dims("y"), (Dims{1, 1, 3, 2}));
}

TEST(Pooling, RoundsAndPadsAsTheEngineDoes) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 1, 9, 9}).input("s", DataType::Float32, {1, 1, 4, 4});
  model.node("MaxPool", {"x"}, {"dilated"})
      .ints("kernel_shape", {3, 3})
      .text("auto_pad", "SAME_UPPER")
      .ints("dilations", {2, 2});
  model.node("MaxPool", {"s"}, {"larger"}).ints("kernel_shape", {5, 5}).ints("strides", {2, 2});
  model.output("dilated").output("larger");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("dilated"), (Dims{1, 1, 7, 7}));
  EXPECT_EQ(got.dims("larger"), (Dims{1, 1, 1, 1}));
}

TEST(Pooling, GlobalReadsEveryElementOnce) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 8, 7, 7});
  model.node("GlobalAveragePool", {"x"}, {"mean"});
  model.node("GlobalMaxPool", {"x"}, {"max"});
  model.output("mean").output("max");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("mean"), (Dims{2, 8, 1, 1}));
  EXPECT_EQ(got.work("GlobalAveragePool").flops, Count(2 * 8 * 49));
  EXPECT_EQ(got.work("GlobalMaxPool").flops, Count(2 * 8 * 49));
}

TEST(Pooling, QuantizedKnowsChannelsLast) {
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::UInt8, {1, 4, 4, 8});
  model.reals("scale", {1.0F}).initializer("zero", DataType::UInt8, {});
  model.node("QLinearAveragePool", {"x", "scale", "zero", "scale", "zero"}, {"y"})
      .domain("com.microsoft")
      .ints("kernel_shape", {3, 3})
      .ints("strides", {2, 2})
      .integer("ceil_mode", 1)
      .integer("channels_last", 1);
  model.output("y", DataType::UInt8);
  EXPECT_EQ(inspect(model).dims("y"), (Dims{1, 2, 2, 8}));
}

TEST(Pooling, UnpoolsToTheSizeBeforeOrTheOneAskedFor) {
  OnnxBuilder model(11);
  model.input("x", DataType::Float32, {1, 1, 2, 2}).input("i", DataType::Int64, {1, 1, 2, 2});
  model.integers("shape", {1, 1, 5, 6});
  model.node("MaxUnpool", {"x", "i"}, {"y"})
      .ints("kernel_shape", {3, 3})
      .ints("strides", {2, 2})
      .ints("pads", {1, 1, 0, 0});
  model.node("MaxUnpool", {"x", "i", "shape"}, {"z"}).ints("kernel_shape", {2, 2});
  model.output("y").output("z");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 1, 4, 4}));
  EXPECT_EQ(got.dims("z"), (Dims{1, 1, 5, 6}));
}

TEST(Pooling, CountsSamplesOfRegionsOnlyWhereTheModelFixesThem) {
  OnnxBuilder model(16);
  model.input("x", DataType::Float32, {1, 3, 8, 8}).input("rois", DataType::Float32, {5, 4});
  model.input("of", DataType::Int64, {5});
  model.node("RoiAlign", {"x", "rois", "of"}, {"fixed"})
      .name("fixed")
      .integer("output_height", 2)
      .integer("output_width", 3)
      .integer("sampling_ratio", 2);
  model.node("RoiAlign", {"x", "rois", "of"}, {"adaptive"}).name("adaptive");
  model.output("fixed").output("adaptive");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("fixed"), (Dims{5, 3, 2, 3}));
  EXPECT_EQ(got.work("fixed").flops, Count(5 * 3 * 2 * 3 * 4 * 8));
  EXPECT_EQ(got.dims("adaptive"), (Dims{5, 3, 1, 1}));
  EXPECT_FALSE(got.work("adaptive").flops.known());
}

TEST(Pooling, RefusesKernelsThatDoNotFit) {
  OnnxBuilder missing;
  missing.input("x", DataType::Float32, {1, 1, 4, 4});
  missing.node("MaxPool", {"x"}, {"y"});
  missing.output("y");
  EXPECT_THAT(error_of(missing), HasSubstr("no attribute 'kernel_shape'"));

  OnnxBuilder large;
  large.input("x", DataType::Float32, {1, 1, 2, 2});
  large.node("AveragePool", {"x"}, {"y"}).ints("kernel_shape", {5, 5});
  large.output("y");
  EXPECT_THAT(error_of(large), HasSubstr("larger than the padded input"));
}

}  // namespace
}  // namespace jouletree::test
