#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using Integers = std::vector<std::int64_t>;

TEST(Reduction, TakesAxesFromAttributeOrInput) {
  OnnxBuilder old(11);
  old.input("x", DataType::Float32, {2, 3, 4});
  old.node("ReduceMean", {"x"}, {"y"}).ints("axes", {-1}).integer("keepdims", 0);
  old.output("y");
  const Inspected by_attribute = inspect(old);
  EXPECT_EQ(by_attribute.dims("y"), (Dims{2, 3}));
  EXPECT_EQ(by_attribute.work("ReduceMean").flops, Count(24 + 6));

  OnnxBuilder recent(18);
  recent.input("x", DataType::Float32, {2, 3, 4}).integers("axes", {0, 2});
  recent.node("ReduceMean", {"x", "axes"}, {"y"});
  recent.output("y");
  EXPECT_EQ(inspect(recent).dims("y"), (Dims{1, 3, 1}));
}

TEST(Reduction, WithoutAxesReducesAllOrNothing) {
  OnnxBuilder model(18);
  model.input("x", DataType::Float32, {2, 3});
  model.node("ReduceSum", {"x"}, {"all"}).integer("keepdims", 0);
  model.node("ReduceSum", {"x"}, {"none"}).integer("noop_with_empty_axes", 1);
  model.output("all").output("none");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("all"), Dims{});
  EXPECT_EQ(got.dims("none"), (Dims{2, 3}));
}

TEST(Reduction, ComputesContentAlongTheReducedAxis) {
  OnnxBuilder model(13);
  model.initializer("x", DataType::Int8, {2, 3}, std::string_view("\1\2\3\4\5\6", 6));
  model.integers("rows", {0});
  model.node("ReduceSum", {"x", "rows"}, {"sum"}).integer("keepdims", 0);
  model.node("ReduceProd", {"x"}, {"product"}).ints("axes", {1}).integer("keepdims", 0);
  model.node("ReduceMax", {"x"}, {"largest"}).integer("keepdims", 0);
  model.output("sum").output("product").output("largest");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("sum"), (Integers{5, 7, 9}));
  EXPECT_EQ(got.content("product"), (Integers{6, 120}));
  EXPECT_EQ(got.content("largest"), (Integers{6}));
}

TEST(Reduction, KeepsTheRankWhereAxesDependOnData) {
  OnnxBuilder model(18);
  model.input("x", DataType::Float32, {2, 3}).input("axes", DataType::Int64, {1});
  model.node("ReduceSum", {"x", "axes"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{kUnknownDim, kUnknownDim}));
  EXPECT_EQ(got.status("ReduceSum"), NodeStatus::Unresolved);
}

TEST(Reduction, RefusesAnAxisOutsideTheTensor) {
  OnnxBuilder model(11);
  model.input("x", DataType::Float32, {2, 3});
  model.node("ReduceSum", {"x"}, {"y"}).ints("axes", {2});
  model.output("y");
  EXPECT_NE(error_of(model).find("axis 2 is outside"), std::string::npos) << error_of(model);
}

TEST(Reduction, FindsPlacesOfExtremesAsInt64) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 3, 4});
  model.node("ArgMax", {"x"}, {"y"}).integer("axis", -2).integer("keepdims", 0);
  model.output("y", DataType::Int64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 4}));
  EXPECT_EQ(got.type("y"), DataType::Int64);
}

TEST(Reduction, TakesTheTopCountFromAttributeOrInput) {
  OnnxBuilder old(9);
  old.input("x", DataType::Float32, {2, 10});
  old.node("TopK", {"x"}, {"values", "indices"}).integer("k", 3);
  old.output("values").output("indices", DataType::Int64);
  EXPECT_EQ(inspect(old).dims("indices"), (Dims{2, 3}));

  OnnxBuilder recent(11);
  recent.input("x", DataType::Float32, {2, 10}).integers("k", {4});
  recent.node("TopK", {"x", "k"}, {"values", "indices"}).integer("axis", 1);
  recent.output("values").output("indices", DataType::Int64);
  const Inspected got = inspect(recent);
  EXPECT_EQ(got.dims("values"), (Dims{2, 4}));
  EXPECT_EQ(got.type("indices"), DataType::Int64);
}

TEST(Reduction, CannotTakeMoreThanThereIs) {
  OnnxBuilder model(9);
  model.input("x", DataType::Float32, {2, 10});
  model.node("TopK", {"x"}, {"values", "indices"}).integer("k", 11);
  model.output("values");
  EXPECT_NE(error_of(model).find("top 11 of 10"), std::string::npos) << error_of(model);
}

TEST(Reduction, AccumulatesForwardsBackwardsAndWithoutItself) {
  OnnxBuilder model(14);
  model.integers("x", {1, 2, 3}).integers("axis", {0});
  model.node("CumSum", {"x", "axis"}, {"plain"});
  model.node("CumSum", {"x", "axis"}, {"back"}).integer("reverse", 1);
  model.node("CumSum", {"x", "axis"}, {"before"}).integer("exclusive", 1);
  model.output("plain").output("back").output("before");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("plain"), (Integers{1, 3, 6}));
  EXPECT_EQ(got.content("back"), (Integers{6, 5, 3}));
  EXPECT_EQ(got.content("before"), (Integers{0, 1, 3}));
}

TEST(Reduction, LossesReduceToAScalarUnlessToldOtherwise) {
  OnnxBuilder model(13);
  model.input("scores", DataType::Float32, {2, 5, 3}).input("labels", DataType::Int64, {2, 3});
  model.node("SoftmaxCrossEntropyLoss", {"scores", "labels"}, {"loss", "log_prob"});
  model.node("NegativeLogLikelihoodLoss", {"log_prob", "labels"}, {"each"})
      .text("reduction", "none");
  model.output("loss").output("each");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("loss"), Dims{});
  EXPECT_EQ(got.dims("log_prob"), (Dims{2, 5, 3}));
  EXPECT_EQ(got.dims("each"), (Dims{2, 3}));
  // Of the 30 scores only those of the 6 labels are read.
  EXPECT_EQ(got.work("NegativeLogLikelihoodLoss").read_bytes, Count(72));
  EXPECT_EQ(got.work("SoftmaxCrossEntropyLoss").flops, Count(30 * 5 + 6 + 6 * 2 + 1));
}

}  // namespace
}  // namespace jouletree::test
