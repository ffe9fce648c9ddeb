#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using Integers = std::vector<std::int64_t>;

/// An int64 tensor of any rank, named `name`.
void tensor(OnnxBuilder& model, const std::string& name, const Dims& dims, const Integers& values) {
  model.integers(name + "_flat", values).integers(name + "_dims", dims);
  model.node("Reshape", {name + "_flat", name + "_dims"}, {name}).name(name);
}

TEST(Gather, ReadsOnlyTheRowsItGathers) {
  OnnxBuilder model(17);
  model.initializer("table", DataType::Float32, {1000, 64});
  model.input("ids", DataType::Int64, {1, 7});
  model.node("Gather", {"table", "ids"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 7, 64}));
  EXPECT_EQ(got.work("Gather").read_bytes, Count(1792 + 56));
  EXPECT_EQ(got.work("Gather").written_bytes, Count(1792));
  EXPECT_EQ(got.work("Gather").flops, Count(0));
}

TEST(Gather, PicksContentAlongAnInnerAxis) {
  OnnxBuilder model(17);
  tensor(model, "x", {2, 3}, {0, 1, 2, 3, 4, 5});
  model.integers("indices", {-1, 0});
  model.node("Gather", {"x", "indices"}, {"y"}).integer("axis", 1);
  EXPECT_EQ(inspect(model).content("y"), (Integers{2, 0, 5, 3}));
}

TEST(Gather, LosesTheAxisForAScalarIndex) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 3});
  model.initializer("index", DataType::Int64, {}, std::string(8, '\0'));
  model.node("Shape", {"x"}, {"shape"});
  model.node("Gather", {"shape", "index"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), Dims{});
  EXPECT_EQ(got.content("y"), (Integers{2}));
}

TEST(Gather, FailsForAnIndexOutside) {
  OnnxBuilder model(17);
  model.integers("x", {1, 2}).integers("indices", {2});
  model.node("Gather", {"x", "indices"}, {"y"});
  EXPECT_NE(error_of(model).find("index 2 is outside an axis of 2"), std::string::npos);
}

TEST(GatherElements, PicksOneElementPerIndex) {
  OnnxBuilder model(17);
  tensor(model, "x", {2, 3}, {0, 1, 2, 3, 4, 5});
  tensor(model, "indices", {2, 2}, {2, 0, -1, 1});
  model.node("GatherElements", {"x", "indices"}, {"y"}).integer("axis", 1);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 2}));
  EXPECT_EQ(got.content("y"), (Integers{2, 0, 5, 4}));
}

TEST(GatherND, AddressesSlicesByTuples) {
  OnnxBuilder model(17);
  tensor(model, "x", {2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  tensor(model, "indices", {2, 2}, {0, 1, -1, 0});
  model.node("GatherND", {"x", "indices"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 2}));
  EXPECT_EQ(got.content("y"), (Integers{2, 3, 4, 5}));
}

TEST(GatherND, StaysWithinItsBatch) {
  OnnxBuilder model(17);
  tensor(model, "x", {2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  tensor(model, "indices", {2, 1}, {1, 2});
  model.node("GatherND", {"x", "indices"}, {"y"}).integer("batch_dims", 1);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 2}));
  EXPECT_EQ(got.content("y"), (Integers{2, 3, 10, 11}));
}

TEST(GatherND, FailsWhereTuplesAreTooLong) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 3}).input("indices", DataType::Int64, {4, 3});
  model.node("GatherND", {"x", "indices"}, {"y"});
  EXPECT_NE(error_of(model).find("do not fit data of 2x3"), std::string::npos);
}

TEST(ScatterElements, WritesAndReduces) {
  OnnxBuilder model(18);
  model.integers("x", {10, 20, 30}).integers("indices", {0, -1, 0}).integers("updates", {1, 2, 3});
  model.node("ScatterElements", {"x", "indices", "updates"}, {"last"}).name("last");
  model.node("ScatterElements", {"x", "indices", "updates"}, {"sum"})
      .name("sum")
      .text("reduction", "add");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("last"), (Integers{3, 20, 2}));
  EXPECT_EQ(got.content("sum"), (Integers{14, 20, 32}));
  EXPECT_EQ(got.work("last").flops, Count(0));
  EXPECT_EQ(got.work("sum").flops, Count(3));
}

TEST(ScatterND, WritesSlices) {
  OnnxBuilder model(17);
  tensor(model, "x", {3, 2}, {0, 0, 0, 0, 0, 0});
  tensor(model, "indices", {2, 1}, {2, 0});
  tensor(model, "updates", {2, 2}, {1, 2, 3, 4});
  model.node("ScatterND", {"x", "indices", "updates"}, {"y"});
  EXPECT_EQ(inspect(model).content("y"), (Integers{3, 4, 0, 0, 1, 2}));
}

TEST(ScatterND, KeepsWhatUnknownUpdatesDoNotTouch) {
  OnnxBuilder model(17);
  model.integers("x", {5, 6}).integers("first", {0});
  model.input("updates", DataType::Int64, {1});
  tensor(model, "indices", {1, 1}, {1});
  model.node("ScatterND", {"x", "indices", "updates"}, {"y"});
  model.node("Gather", {"y", "first"}, {"z"});
  EXPECT_EQ(inspect(model).content("z"), (Integers{5}));
}

TEST(ScatterND, FailsWhereUpdatesDoNotFit) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {3, 2}).input("indices", DataType::Int64, {1, 1});
  model.input("updates", DataType::Float32, {1, 3});
  model.node("ScatterND", {"x", "indices", "updates"}, {"y"});
  EXPECT_NE(error_of(model).find("updates of 1x3 where 1x2 are needed"), std::string::npos);
}

TEST(NonZero, ListsPositionsAxisByAxis) {
  OnnxBuilder model(17);
  tensor(model, "x", {2, 2}, {0, 7, 8, 0});
  model.node("NonZero", {"x"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 2}));
  EXPECT_EQ(got.content("y"), (Integers{0, 1, 1, 0}));
}

TEST(NonZero, DoesNotGuessHowManyThereAre) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 2});
  model.node("NonZero", {"x"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, kUnknownDim}));
  EXPECT_EQ(got.status("NonZero"), NodeStatus::Unresolved);
}

TEST(WordConvEmbedding, CountsTheConvolutionOfEveryWord) {
  OnnxBuilder model(17);
  model.import_domain("com.microsoft", 1).input("words", DataType::Int32, {5, 7});
  model.initializer("w", DataType::Float32, {4, 1, 3, 2}).initializer("b", DataType::Float32, {4});
  model.initializer("chars", DataType::Float32, {9, 2});
  model.node("WordConvEmbedding", {"words", "w", "b", "chars"}, {"y"}).domain("com.microsoft");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{5, 4}));
  EXPECT_EQ(got.work("WordConvEmbedding").macs, Count(600));
}

}  // namespace
}  // namespace jouletree::test
