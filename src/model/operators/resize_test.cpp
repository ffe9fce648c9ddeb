#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;

TEST(Resize, ScalesInSinglePrecision) {
  OnnxBuilder model(13);
  model.input("x", DataType::Float32, {1, 1, 10, 30});
  model.reals("none", {}).reals("scales", {1.0F, 1.0F, 0.3F, 2.4999F});
  model.node("Resize", {"x", "none", "scales"}, {"y"});
  model.output("y");
  EXPECT_EQ(inspect(model).dims("y"), (Dims{1, 1, 3, 74}));
}

TEST(Resize, TakesScalesFromWhereverTheOpsetPutsThem) {
  OnnxBuilder seven(8);
  seven.input("x", DataType::Float32, {1, 1, 10, 30});
  seven.node("Upsample", {"x"}, {"y"}).reals("scales", {1.0F, 1.0F, 1.3F, 2.0F});
  seven.output("y");
  EXPECT_EQ(inspect(seven).dims("y"), (Dims{1, 1, 13, 60}));

  OnnxBuilder ten(10);
  ten.input("x", DataType::Float32, {1, 1, 10, 30}).reals("scales", {1.0F, 1.0F, 0.5F, 2.0F});
  ten.node("Resize", {"x", "scales"}, {"y"});
  ten.output("y");
  EXPECT_EQ(inspect(ten).dims("y"), (Dims{1, 1, 5, 60}));
}

TEST(Resize, KeepsTheAspectRatioOfItsAxes) {
  OnnxBuilder model(18);
  model.input("x", DataType::Float32, {1, 1, 10, 30}).integers("sizes", {7, 8});
  model.node("Resize", {"x", "", "", "sizes"}, {"larger"})
      .ints("axes", {2, 3})
      .text("keep_aspect_ratio_policy", "not_smaller");
  model.node("Resize", {"x", "", "", "sizes"}, {"smaller"})
      .ints("axes", {-2, -1})
      .text("keep_aspect_ratio_policy", "not_larger");
  model.output("larger").output("smaller");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("larger"), (Dims{1, 1, 7, 21}));
  EXPECT_EQ(got.dims("smaller"), (Dims{1, 1, 3, 8}));
}

TEST(Resize, FollowsSizesThatTheGraphComputes) {
  OnnxBuilder model(13);
  model.input("x", DataType::Float32, {1, 3, 10, 12}).input("z", DataType::Float32, {1, 8, 20, 25});
  model.reals("none", {}).integers("two", {2}).integers("all", {4}).integers("zero", {0});
  model.node("Shape", {"x"}, {"of_x"});
  model.node("Shape", {"z"}, {"of_z"});
  model.node("Slice", {"of_x", "zero", "two"}, {"head"});
  model.node("Slice", {"of_z", "two", "all"}, {"tail"});
  model.node("Concat", {"head", "tail"}, {"sizes"}).integer("axis", 0);
  model.node("Resize", {"x", "none", "none", "sizes"}, {"y"}).text("mode", "linear");
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 3, 20, 25}));
  EXPECT_EQ(got.work("Resize").flops, Count(3 * 20 * 25 * 7));
}

TEST(Resize, RefusesScalesThatDoNotFit) {
  OnnxBuilder model(13);
  model.input("x", DataType::Float32, {1, 1, 10, 30}).reals("none", {}).reals("scales", {0.5F});
  model.node("Resize", {"x", "none", "scales"}, {"y"});
  model.output("y");
  EXPECT_THAT(error_of(model), HasSubstr("scales should have 4 elements, but have 1"));

  OnnxBuilder nothing(13);
  nothing.input("x", DataType::Float32, {1, 1, 10, 30}).reals("none", {});
  nothing.node("Resize", {"x", "none", "none"}, {"y"});
  nothing.output("y");
  EXPECT_THAT(error_of(nothing), HasSubstr("neither scales nor sizes"));
}

TEST(Resize, MovesBlocksBetweenDepthAndSpace) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8, 4, 6});
  model.node("DepthToSpace", {"x"}, {"wide"}).integer("blocksize", 2);
  model.node("SpaceToDepth", {"x"}, {"deep"}).integer("blocksize", 2);
  model.output("wide").output("deep");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("wide"), (Dims{1, 2, 8, 12}));
  EXPECT_EQ(got.dims("deep"), (Dims{1, 32, 2, 3}));
  EXPECT_EQ(got.work("DepthToSpace").flops, Count(0));
}

TEST(Resize, SamplesAGridOfAnyRank) {
  OnnxBuilder model(20);
  model.input("x", DataType::Float32, {2, 3, 8, 8, 8});
  model.input("theta", DataType::Float32, {2, 3, 4}).integers("size", {2, 3, 5, 6, 7});
  model.node("AffineGrid", {"theta", "size"}, {"grid"});
  model.node("GridSample", {"x", "grid"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("grid"), (Dims{2, 5, 6, 7, 3}));
  EXPECT_EQ(got.dims("y"), (Dims{2, 3, 5, 6, 7}));
  EXPECT_EQ(got.work("AffineGrid").macs, Count(2 * 210 * 3 * 4));
  EXPECT_EQ(got.work("GridSample").flops, Count(2 * 3 * 210 * 15 + 2 * 210 * 3 * 3));
}

TEST(Resize, CropsPadsAndFolds) {
  OnnxBuilder model(18);
  model.input("x", DataType::Float32, {10, 8, 3}).integers("shape", {20, 4});
  model.input("columns", DataType::Float32, {1, 10, 5});
  model.integers("image", {5, 5}).integers("block", {1, 5});
  model.node("CenterCropPad", {"x", "shape"}, {"y"}).ints("axes", {0, -2});
  model.node("Col2Im", {"columns", "image", "block"}, {"z"});
  model.output("y").output("z");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{20, 4, 3}));
  EXPECT_EQ(got.dims("z"), (Dims{1, 2, 5, 5}));
  EXPECT_EQ(got.work("Col2Im").flops, Count(50));
}

}  // namespace
}  // namespace jouletree::test
