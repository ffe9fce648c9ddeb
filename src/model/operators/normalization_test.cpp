#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;

TEST(Normalization, OfLayersSavesItsStatistics) {
  OnnxBuilder model;
  model.input("x", DataType::Float16, {2, 3, 4});
  model.initializer("scale", DataType::Float16, {3, 4}).initializer("b", DataType::Float16, {3, 4});
  model.node("LayerNormalization", {"x", "scale", "b"}, {"y", "mean", "inverse"})
      .integer("axis", -2);
  model.output("y", DataType::Float16).output("mean").output("inverse");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::Float16);
  EXPECT_EQ(got.dims("mean"), (Dims{2, 1, 1}));
  EXPECT_EQ(got.type("inverse"), DataType::Float32);
  EXPECT_EQ(got.work("LayerNormalization").flops, Count(24 * 7));
}

TEST(Normalization, RefusesAnAxisOutsideTheInput) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 3}).initializer("scale", DataType::Float32, {3});
  model.node("LayerNormalization", {"x", "scale"}, {"y"}).integer("axis", 2);
  model.output("y");
  EXPECT_THAT(error_of(model), HasSubstr("axis 2"));
}

TEST(Normalization, OfBatchesGivesRunningStatisticsInTraining) {
  OnnxBuilder model(15);
  model.input("x", DataType::Float32, {2, 4, 5});
  for (const char* name : {"scale", "b", "mean", "variance"})
    model.initializer(name, DataType::Float32, {4});
  model.node("BatchNormalization", {"x", "scale", "b", "mean", "variance"}, {"y"}).name("infer");
  model.node("BatchNormalization", {"x", "scale", "b", "mean", "variance"}, {"z", "m", "v"})
      .name("train")
      .integer("training_mode", 1);
  model.output("y").output("z").output("m").output("v");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 4, 5}));
  EXPECT_EQ(got.dims("v"), (Dims{4}));
  EXPECT_EQ(got.work("infer").flops, Count(40 * 4));
  EXPECT_EQ(got.work("train").flops, Count(40 * 7 + 8 * 3));
}

TEST(Normalization, TakesThePrecisionOfItsScale) {
  OnnxBuilder model;
  model.input("x", DataType::Float16, {2, 3, 4}).initializer("scale", DataType::Float32, {4});
  model.node("SimplifiedLayerNormalization", {"x", "scale"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::Float32);
  EXPECT_EQ(got.work("SimplifiedLayerNormalization").flops, Count(24 * 4));
}

TEST(Normalization, WithSkipAlsoGivesTheSum) {
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::Float32, {2, 3, 4}).input("skip", DataType::Float32, {3, 4});
  for (const char* name : {"gamma", "beta", "bias"})
    model.initializer(name, DataType::Float32, {4});
  model.node("SkipLayerNormalization", {"x", "skip", "gamma", "beta", "bias"}, {"y", "", "", "sum"})
      .domain("com.microsoft");
  model.output("y").output("sum");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("sum"), (Dims{2, 3, 4}));
  EXPECT_EQ(got.work("SkipLayerNormalization").flops, Count(24 * 9));
}

TEST(Normalization, OfEmbeddingsReadsOnlyTheRowsItNeeds) {
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("ids", DataType::Int32, {2, 3});
  model.initializer("words", DataType::Float32, {1000, 8});
  model.initializer("positions", DataType::Float32, {512, 8});
  model.initializer("gamma", DataType::Float32, {8}).initializer("beta", DataType::Float32, {8});
  model
      .node("EmbedLayerNormalization", {"ids", "", "words", "positions", "", "gamma", "beta"},
            {"y", "mask", "sum"})
      .domain("com.microsoft");
  model.output("y").output("mask", DataType::Int32).output("sum");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 3, 8}));
  EXPECT_EQ(got.dims("mask"), (Dims{2}));
  EXPECT_EQ(got.type("mask"), DataType::Int32);
  EXPECT_EQ(got.dims("sum"), (Dims{2, 3, 8}));
  EXPECT_EQ(got.work("EmbedLayerNormalization").read_bytes, Count(6 * 4 + 2 * 48 * 4 + 2 * 8 * 4));
}

}  // namespace
}  // namespace jouletree::test
