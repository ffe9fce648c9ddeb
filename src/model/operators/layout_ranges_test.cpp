#include <limits>

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using Integers = std::vector<std::int64_t>;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

/// The content of a list of int64 after a Slice.
Integers sliced(const Integers& list, std::int64_t start, std::int64_t end, std::int64_t step) {
  OnnxBuilder model(17);
  model.integers("x", list).integers("s", {start}).integers("e", {end}).integers("a", {0});
  model.integers("step", {step});
  model.node("Slice", {"x", "s", "e", "a", "step"}, {"y"});
  return inspect(model).content("y");
}

TEST(Slice, TakesRangesForwardsAndBackwards) {
  const Integers list{0, 1, 2, 3, 4};
  EXPECT_EQ(sliced(list, 1, 4, 1), (Integers{1, 2, 3}));
  EXPECT_EQ(sliced(list, -2, kLargest, 1), (Integers{3, 4}));
  EXPECT_EQ(sliced(list, 0, 5, 2), (Integers{0, 2, 4}));
  EXPECT_EQ(sliced(list, 4, 0, -2), (Integers{4, 2}));
  EXPECT_EQ(sliced(list, 3, 1, 1), Integers{});
}

TEST(Slice, ClampsExtremeRanges) {
  const Integers list{0, 1, 2, 3, 4};
  EXPECT_EQ(sliced(list, kSmallest, 3, 1), (Integers{0, 1, 2}));
  EXPECT_EQ(sliced(list, -1, kSmallest, -1), (Integers{4, 3, 2, 1, 0}));
  EXPECT_EQ(sliced(list, 4, kLargest, -1), (Integers{4, 3, 2, 1, 0}));
  EXPECT_EQ(sliced(list, 4, 2147483647, -1), (Integers{4, 3, 2, 1, 0}));
  EXPECT_EQ(sliced(list, 4, kSmallest, kSmallest), (Integers{4}));
  EXPECT_EQ(sliced(list, 0, 5, kLargest), (Integers{0}));
  EXPECT_EQ(sliced({}, 4, -9, -1), Integers{});
}

TEST(Slice, ReadsItsOldAttributes) {
  OnnxBuilder model(9);
  model.input("x", DataType::Float32, {5, 4});
  model.node("Slice", {"x"}, {"y"}).ints("starts", {1}).ints("ends", {3});
  EXPECT_EQ(inspect(model).dims("y"), (Dims{2, 4}));
}

TEST(Slice, ReadsOnlyWhatItKeeps) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {5, 4}).integers("s", {1}).integers("e", {3});
  model.node("Slice", {"x", "s", "e"}, {"y"});
  EXPECT_EQ(inspect(model).work("Slice").read_bytes, Count(32 + 8 + 8));
}

TEST(Slice, LeavesOnlyTheAxisUnknownWhoseEndDependsOnData) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {5, 4}).input("e", DataType::Int64, {1});
  model.integers("s", {0}).integers("a", {1});
  model.node("Slice", {"x", "s", "e", "a"}, {"y"});
  EXPECT_EQ(inspect(model).dims("y"), (Dims{5, kUnknownDim}));
}

TEST(Slice, ResolvesPositionsCutFromABuffer) {
  OnnxBuilder model(17);
  model.input("ids", DataType::Int64, {1, 3});
  model.initializer("buffer", DataType::Int64, {1, 512});
  model.integers("zero", {0}).integers("one", {1});
  model.node("Shape", {"ids"}, {"shape"});
  model.node("Slice", {"shape", "one", "two", "zero"}, {"length"});
  model.integers("two", {2});
  model.node("Slice", {"buffer", "zero", "length", "one"}, {"positions"});
  EXPECT_EQ(inspect(model).content("positions"), (Integers{0, 0, 0}));
}

TEST(Slice, FailsForAStepOfZeroAndARepeatedAxis) {
  OnnxBuilder zero(17);
  zero.input("x", DataType::Float32, {5}).integers("s", {0}).integers("e", {3});
  zero.node("Slice", {"x", "s", "e", "s", "s"}, {"y"});
  EXPECT_NE(error_of(zero).find("steps is 0"), std::string::npos);

  OnnxBuilder twice(17);
  twice.input("x", DataType::Float32, {5}).integers("s", {0, 0}).integers("e", {3, 3});
  twice.node("Slice", {"x", "s", "e", "s"}, {"y"});
  EXPECT_NE(error_of(twice).find("listed twice"), std::string::npos);
}

/// The content of 0, 1, 2 after a Pad.
Integers padded(const char* mode, std::int64_t before, std::int64_t after) {
  OnnxBuilder model(19);
  model.integers("x", {0, 1, 2}).integers("pads", {before, after}).integers("value", {7});
  model.node("Pad", {"x", "pads", "value"}, {"y"}).text("mode", mode);
  return inspect(model).content("y");
}

TEST(Pad, FillsByMode) {
  EXPECT_EQ(padded("constant", 2, 1), (Integers{7, 7, 0, 1, 2, 7}));
  EXPECT_EQ(padded("edge", 2, 1), (Integers{0, 0, 0, 1, 2, 2}));
  EXPECT_EQ(padded("reflect", 2, 1), (Integers{2, 1, 0, 1, 2, 1}));
  EXPECT_EQ(padded("wrap", 2, 1), (Integers{1, 2, 0, 1, 2, 0}));
}

TEST(Pad, CutsOffWhereNegative) {
  EXPECT_EQ(padded("constant", -1, 1), (Integers{1, 2, 7}));
  EXPECT_EQ(padded("constant", -4, 4), (Integers{7, 7, 7}));
}

TEST(Pad, ReadsAttributeAndListedAxes) {
  OnnxBuilder old(10);
  old.input("x", DataType::Float32, {2, 3});
  old.node("Pad", {"x"}, {"y"}).ints("pads", {0, 1, 0, 2});
  EXPECT_EQ(inspect(old).dims("y"), (Dims{2, 6}));

  OnnxBuilder now(18);
  now.input("x", DataType::Float32, {2, 3}).integers("pads", {1, 2}).integers("axes", {-2});
  now.node("Pad", {"x", "pads", "", "axes"}, {"y"});
  EXPECT_EQ(inspect(now).dims("y"), (Dims{5, 3}));
}

TEST(Pad, FailsWhereNothingWouldBeLeft) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {5}).integers("pads", {-3, -3});
  model.node("Pad", {"x", "pads"}, {"y"});
  EXPECT_NE(error_of(model).find("cuts more than there is"), std::string::npos);
}

TEST(UnfoldTensor, AppendsThePieces) {
  OnnxBuilder model(17);
  model.import_domain("com.microsoft", 1).input("x", DataType::Float32, {2, 7});
  model::OnnxNode& node = model.node("UnfoldTensor", {"x"}, {"y"}).domain("com.microsoft");
  node.integer("dim", 1).integer("size", 3).integer("step", 2);
  EXPECT_EQ(inspect(model).dims("y"), (Dims{2, 3, 3}));
}

}  // namespace
}  // namespace jouletree::test
