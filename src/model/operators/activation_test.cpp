#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

/// An operator with one input and one output on a tensor of 2 x 3 x 4 elements.
Inspected applied(const char* op, int opset) {
  OnnxBuilder model(opset);
  model.input("x", DataType::Float32, {2, 3, 4});
  model.node(op, {"x"}, {"y"});
  model.output("y");
  return inspect(model);
}

TEST(Activation, KeepsShapeAndTypeAndCountsBasicOperations) {
  const Inspected sigmoid = applied("Sigmoid", 13);
  EXPECT_EQ(sigmoid.dims("y"), (Dims{2, 3, 4}));
  EXPECT_EQ(sigmoid.type("y"), DataType::Float32);
  EXPECT_EQ(sigmoid.work("Sigmoid").flops, Count(24 * 4));
  EXPECT_EQ(sigmoid.work("Sigmoid").macs, Count(0));
  EXPECT_EQ(applied("Relu", 14).work("Relu").flops, Count(24));
  EXPECT_EQ(applied("Softmax", 13).work("Softmax").flops, Count(24 * 5));
  EXPECT_EQ(applied("Gelu", 20).work("Gelu").flops, Count(24 * 5));
  EXPECT_EQ(applied("Swish", 24).work("Swish").flops, Count(24 * 5));
}

TEST(Activation, CountsTheTanhFormOfGeluWhereAsked) {
  OnnxBuilder model(20);
  model.input("x", DataType::Float32, {10});
  model.node("Gelu", {"x"}, {"y"}).text("approximate", "tanh");
  model.output("y");
  EXPECT_EQ(inspect(model).work("Gelu").flops, Count(80));
}

TEST(Activation, RejectsASoftmaxAxisOutsideTheTensor) {
  OnnxBuilder model(13);
  model.input("x", DataType::Float32, {2, 3});
  model.node("Softmax", {"x"}, {"y"}).integer("axis", 2);
  model.output("y");
  EXPECT_NE(error_of(model).find("axis 2 is outside a tensor of 2 dimensions"), std::string::npos);
}

TEST(Activation, ClipsIntegerContentBetweenInputs) {
  OnnxBuilder model(13);
  model.integers("x", {-5, 0, 7, 90}).integers("low", {0}).integers("high", {10});
  model.node("Clip", {"x", "low", "high"}, {"y"});
  model.output("y", DataType::Int64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("y"), (std::vector<std::int64_t>{0, 0, 7, 10}));
  EXPECT_EQ(got.work("Clip").flops, Count(8));
}

TEST(Activation, ClipsWithoutALowerBound) {
  OnnxBuilder model(13);
  model.integers("x", {-5, 90}).integers("high", {10});
  model.node("Clip", {"x", "", "high"}, {"y"});
  model.output("y", DataType::Int64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("y"), (std::vector<std::int64_t>{-5, 10}));
  EXPECT_EQ(got.work("Clip").flops, Count(2));
}

TEST(Activation, ClipsBetweenAttributesOfOldOpsets) {
  OnnxBuilder model(6);
  model.reals("x", {-1.0F, 3.0F, 9.0F});
  model.node("Clip", {"x"}, {"y"}).real("min", 0.0F).real("max", 6.0F);
  model.output("y");
  EXPECT_EQ(inspect(model).real_content("y"), (std::vector<double>{0, 3, 6}));
}

TEST(Activation, LeavesClippedContentUnknownWhereABoundIs) {
  OnnxBuilder model(13);
  model.integers("x", {1, 2}).input("high", DataType::Int64, {});
  model.node("Clip", {"x", "", "high"}, {"y"});
  model.output("y", DataType::Int64);
  EXPECT_FALSE(inspect(model).has_content("y"));
}

TEST(Activation, DropoutCostsNothingOutsideTraining) {
  OnnxBuilder model(13);
  model.input("x", DataType::Float32, {8, 8}).reals("ratio", {0.5F});
  model.node("Dropout", {"x", "ratio"}, {"y", "mask"});
  model.output("y").output("mask", DataType::Bool);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("mask"), DataType::Bool);
  EXPECT_EQ(got.dims("mask"), (Dims{8, 8}));
  EXPECT_EQ(got.work("Dropout").flops, Count(0));
  EXPECT_EQ(got.work("Dropout").read_bytes, Count(0));
  EXPECT_EQ(got.work("Dropout").written_bytes, Count(0));
}

TEST(Activation, DropoutInTrainingDrawsForEveryElement) {
  OnnxBuilder model(13);
  model.input("x", DataType::Float32, {8, 8});
  model.initializer("training", DataType::Bool, {}, std::string_view("\x01", 1));
  model.node("Dropout", {"x", "", "training"}, {"y"});
  model.output("y");
  EXPECT_EQ(inspect(model).work("Dropout").flops, Count(128));
}

TEST(Activation, GivesOldDropoutMasksTheTypeOfTheData) {
  OnnxBuilder model(7);
  model.input("x", DataType::Float32, {4});
  model.node("Dropout", {"x"}, {"y", "mask"});
  model.output("y").output("mask");
  EXPECT_EQ(inspect(model).type("mask"), DataType::Float32);
}

TEST(Activation, PacksTheMaskOfABitmaskDropout) {
  OnnxBuilder model(17);
  model.import_domain("com.microsoft", 1).input("x", DataType::Float32, {5, 13});
  model.node("BitmaskDropout", {"x"}, {"y", "mask"}).domain("com.microsoft");
  model.output("y").output("mask", DataType::UInt32);
  EXPECT_EQ(inspect(model).dims("mask"), (Dims{3}));
}

TEST(Activation, SplitsInTwoBeforeGelu) {
  OnnxBuilder model(17);
  model.import_domain("com.microsoft", 1).input("x", DataType::Float32, {1, 4, 10});
  model.initializer("b", DataType::Float32, {10});
  model.node("BiasSplitGelu", {"x", "b"}, {"y"}).domain("com.microsoft");
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 4, 5}));
  EXPECT_EQ(got.work("BiasSplitGelu").flops, Count(20 * 8));
}

TEST(Activation, RejectsACropOfMoreThanThereIs) {
  OnnxBuilder model(9);
  model.input("x", DataType::Float32, {1, 3, 4, 4});
  model.node("Crop", {"x"}, {"y"}).ints("border", {3, 0, 3, 0});
  model.output("y");
  EXPECT_NE(error_of(model).find("crops more"), std::string::npos);
}

}  // namespace
}  // namespace jouletree::test
