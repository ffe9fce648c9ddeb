#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using Integers = std::vector<std::int64_t>;

/// A model with the float32 input "x".
model::OnnxBuilder model_on(int opset, const Dims& dims) {
  OnnxBuilder model(opset);
  model.input("x", DataType::Float32, dims);
  return model;
}

/// A tensor of the content 0, 1, 2 … under the name "x".
void counted_input(OnnxBuilder& model, const Dims& dims) {
  Integers values(static_cast<std::size_t>(elements_of(dims).value()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i);
  model.integers("flat", values).integers("dims", dims);
  model.node("Reshape", {"flat", "dims"}, {"x"});
}

/// The second dimension of "x" becomes unknown to everything behind it: 3 x ? int64.
void unknown_dimension(OnnxBuilder& model) {
  model.input("data", DataType::Float32, {2, 2, 2});
  model.node("NonZero", {"data"}, {"x"});
}

TEST(Reshape, CopiesZerosAndInfersMinusOne) {
  OnnxBuilder model = model_on(17, {2, 3, 8});
  model.integers("shape", {0, -1, 4});
  model.node("Reshape", {"x", "shape"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 6, 4}));
  EXPECT_EQ(got.work("Reshape").read_bytes, Count(0));
  EXPECT_EQ(got.work("Reshape").written_bytes, Count(0));
}

TEST(Reshape, KeepsZerosWhereTheyAreAllowed) {
  OnnxBuilder model = model_on(17, {0, 3});
  model.integers("shape", {3, 0});
  model.node("Reshape", {"x", "shape"}, {"y"}).integer("allowzero", 1);
  EXPECT_EQ(inspect(model).dims("y"), (Dims{3, 0}));
}

TEST(Reshape, InfersBesideACopiedUnknownDimension) {
  OnnxBuilder model(17);
  unknown_dimension(model);
  model.node("Transpose", {"x"}, {"t"});
  model.integers("shape", {0, 1, -1});
  model.node("Reshape", {"t", "shape"}, {"y"});
  EXPECT_EQ(inspect(model).dims("y"), (Dims{kUnknownDim, 1, 3}));
}

TEST(Reshape, InfersASingleTargetDimensionThatDependsOnData) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4, 6});
  model.input("n", DataType::Int64, {1});
  model.integers("three", {3});
  model.node("Concat", {"n", "three"}, {"shape"}).integer("axis", 0);
  model.node("Reshape", {"x", "shape"}, {"y"});
  EXPECT_EQ(inspect(model).dims("y"), (Dims{8, 3}));
}

TEST(Reshape, FailsWhereTheElementsDoNotFit) {
  OnnxBuilder model = model_on(17, {2, 3});
  model.integers("shape", {4, -1});
  model.node("Reshape", {"x", "shape"}, {"y"}).name("r");
  EXPECT_NE(error_of(model).find("cannot reshape 2x3 to 4x?"), std::string::npos);
}

TEST(Flatten, MultipliesTheAxesOnBothSides) {
  OnnxBuilder model = model_on(13, {2, 3, 4});
  model.node("Flatten", {"x"}, {"y"}).integer("axis", -1);
  model.node("Flatten", {"x"}, {"all"}).integer("axis", 0);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{6, 4}));
  EXPECT_EQ(got.dims("all"), (Dims{1, 24}));
}

TEST(Squeeze, TakesAxesFromAttributeInputOrNothing) {
  OnnxBuilder old = model_on(11, {1, 3, 1});
  old.node("Squeeze", {"x"}, {"y"}).ints("axes", {-1});
  EXPECT_EQ(inspect(old).dims("y"), (Dims{1, 3}));

  OnnxBuilder now = model_on(13, {1, 3, 1});
  now.integers("axes", {0});
  now.node("Squeeze", {"x", "axes"}, {"y"});
  now.node("Squeeze", {"x"}, {"z"});
  EXPECT_EQ(inspect(now).dims("y"), (Dims{3, 1}));
  EXPECT_EQ(inspect(now).dims("z"), (Dims{3}));
}

TEST(Squeeze, FailsForAnAxisThatIsNotOne) {
  OnnxBuilder model = model_on(11, {2, 3});
  model.node("Squeeze", {"x"}, {"y"}).ints("axes", {0});
  EXPECT_NE(error_of(model).find("cannot squeeze axis 0 of 2x3"), std::string::npos);
}

TEST(Unsqueeze, CountsAxesInTheOutput) {
  OnnxBuilder model = model_on(13, {3, 4});
  model.integers("axes", {-1, 0});
  model.node("Unsqueeze", {"x", "axes"}, {"y"});
  EXPECT_EQ(inspect(model).dims("y"), (Dims{1, 3, 4, 1}));
}

TEST(Unsqueeze, FailsForARepeatedAxis) {
  OnnxBuilder model = model_on(11, {3});
  model.node("Unsqueeze", {"x"}, {"y"}).ints("axes", {0, -3});
  EXPECT_NE(error_of(model).find("listed twice"), std::string::npos);
}

TEST(Transpose, MovesContentWithTheAxes) {
  OnnxBuilder model(17);
  counted_input(model, {2, 3});
  model.node("Transpose", {"x"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{3, 2}));
  EXPECT_EQ(got.content("y"), (Integers{0, 3, 1, 4, 2, 5}));
}

TEST(Expand, BroadcastsBothWays) {
  OnnxBuilder model(17);
  counted_input(model, {2, 1});
  model.integers("shape", {2, 1, 3});
  model.node("Expand", {"x", "shape"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 2, 3}));
  EXPECT_EQ(got.content("y"), (Integers{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
}

TEST(Tile, RepeatsEveryAxis) {
  OnnxBuilder model(17);
  counted_input(model, {2, 2});
  model.integers("repeats", {2, 2});
  model.node("Tile", {"x", "repeats"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{4, 4}));
  EXPECT_EQ(got.content("y"), (Integers{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}));
}

TEST(Concat, JoinsContentAlongAnInnerAxis) {
  OnnxBuilder model(17);
  counted_input(model, {2, 2});
  model.node("Concat", {"x", "x"}, {"y"}).integer("axis", -1);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 4}));
  EXPECT_EQ(got.content("y"), (Integers{0, 1, 0, 1, 2, 3, 2, 3}));
}

TEST(Concat, LetsAnEmptyTensorDisagree) {
  OnnxBuilder model(17);
  model.input("a", DataType::Float32, {0, 5});
  model.input("b", DataType::Float32, {2, 3});
  model.node("Concat", {"a", "b"}, {"y"}).integer("axis", 0);
  EXPECT_EQ(inspect(model).dims("y"), (Dims{2, 3}));
}

TEST(Concat, FailsWhereOtherAxesDiffer) {
  OnnxBuilder model(17);
  model.input("a", DataType::Float32, {2, 5});
  model.input("b", DataType::Float32, {2, 3});
  model.node("Concat", {"a", "b"}, {"y"}).integer("axis", 0);
  EXPECT_NE(error_of(model).find("5 and 3"), std::string::npos);
}

TEST(Split, TakesListedEvenAndUnevenParts) {
  OnnxBuilder listed = model_on(11, {2, 5});
  listed.node("Split", {"x"}, {"a", "b"}).integer("axis", 1).ints("split", {2, 3});
  EXPECT_EQ(inspect(listed).dims("b"), (Dims{2, 3}));

  OnnxBuilder even = model_on(13, {2, 6});
  even.node("Split", {"x"}, {"a", "b"}).integer("axis", 1);
  EXPECT_EQ(inspect(even).dims("a"), (Dims{2, 3}));

  OnnxBuilder uneven = model_on(18, {2, 7});
  uneven.node("Split", {"x"}, {"a", "b", "c"}).integer("axis", 1).integer("num_outputs", 3);
  EXPECT_EQ(inspect(uneven).dims("a"), (Dims{2, 3}));
  EXPECT_EQ(inspect(uneven).dims("c"), (Dims{2, 1}));
}

TEST(Split, CutsContent) {
  OnnxBuilder model(17);
  counted_input(model, {2, 3});
  model.integers("sizes", {1, 2});
  model.node("Split", {"x", "sizes"}, {"a", "b"}).integer("axis", 1);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("a"), (Integers{0, 3}));
  EXPECT_EQ(got.content("b"), (Integers{1, 2, 4, 5}));
}

TEST(Split, FailsWhereAnOldOneIsUneven) {
  OnnxBuilder model = model_on(13, {5});
  model.node("Split", {"x"}, {"a", "b"});
  EXPECT_NE(error_of(model).find("equal parts"), std::string::npos);
}

TEST(Shape, GivesARangeOfDimensions) {
  OnnxBuilder model = model_on(15, {2, 3, 4});
  model.node("Shape", {"x"}, {"y"}).integer("start", -2).integer("end", 100);
  model.node("Shape", {"x"}, {"none"}).integer("start", 2).integer("end", 1);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("y"), (Integers{3, 4}));
  EXPECT_EQ(got.dims("none"), (Dims{0}));
  EXPECT_EQ(got.work("Shape").read_bytes, Count(0));
}

TEST(Shape, PassesOnTheKnownDimensionsOfAPartlyKnownShape) {
  OnnxBuilder model(17);
  unknown_dimension(model);
  model.integers("zero", {0});
  model.node("Shape", {"x"}, {"shape"});
  model.node("Gather", {"shape", "zero"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("y"), (Integers{3}));
}

TEST(Size, CountsElements) {
  OnnxBuilder model = model_on(13, {2, 3, 4});
  model.node("Size", {"x"}, {"y"});
  EXPECT_EQ(inspect(model).content("y"), (Integers{24}));
}

TEST(Trilu, KeepsTheAskedTriangle) {
  OnnxBuilder model(17);
  counted_input(model, {2, 3});
  model.integers("k", {1});
  model.node("Trilu", {"x", "k"}, {"upper"});
  model.node("Trilu", {"x"}, {"lower"}).integer("upper", 0);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("upper"), (Integers{0, 1, 2, 0, 0, 5}));
  EXPECT_EQ(got.content("lower"), (Integers{0, 0, 0, 3, 4, 0}));
}

TEST(Compress, CountsWhatAKnownConditionKeeps) {
  OnnxBuilder model(17);
  counted_input(model, {2, 3});
  model.initializer("keep", DataType::Bool, {4}, std::string("\1\0\1\1", 4));
  model.node("Compress", {"x", "keep"}, {"y"}).integer("axis", 1);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 2}));
  EXPECT_EQ(got.content("y"), (Integers{0, 2, 3, 5}));
}

TEST(Compress, DoesNotGuessWhatAnInputKeeps) {
  OnnxBuilder model = model_on(17, {2, 3});
  model.input("keep", DataType::Bool, {3});
  model.node("Compress", {"x", "keep"}, {"y"}).integer("axis", 1);
  EXPECT_EQ(inspect(model).dims("y"), (Dims{2, kUnknownDim}));
}

TEST(Unique, GivesValuesIndicesInverseAndCounts) {
  OnnxBuilder model(17);
  model.integers("x", {3, 1, 3, 2});
  model.node("Unique", {"x"}, {"y", "first", "inverse", "counts"});
  model.node("Unique", {"x"}, {"in_order"}).integer("sorted", 0);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("y"), (Integers{1, 2, 3}));
  EXPECT_EQ(got.content("first"), (Integers{1, 3, 0}));
  EXPECT_EQ(got.content("inverse"), (Integers{2, 0, 2, 1}));
  EXPECT_EQ(got.content("counts"), (Integers{1, 1, 2}));
  EXPECT_EQ(got.content("in_order"), (Integers{3, 1, 2}));
}

TEST(Unique, ComparesSlicesAlongAnAxis) {
  OnnxBuilder model(17);
  model.integers("flat", {1, 0, 1, 0, 0, 5}).integers("dims", {3, 2});
  model.node("Reshape", {"flat", "dims"}, {"x"});
  model.node("Unique", {"x"}, {"y"}).integer("axis", 0);
  EXPECT_EQ(inspect(model).dims("y"), (Dims{2, 2}));
  EXPECT_EQ(inspect(model).content("y"), (Integers{0, 5, 1, 0}));
}

TEST(Identity, PassesOnContent) {
  OnnxBuilder model(17);
  model.integers("x", {5});
  model.node("Identity", {"x"}, {"y"});
  EXPECT_EQ(inspect(model).content("y"), (Integers{5}));
}

TEST(ShapeChains, ResolveTheViewOfAnAttentionHead) {
  OnnxBuilder model = model_on(17, {2, 7, 12});
  model.integers("batch", {0})
      .integers("length", {1})
      .integers("heads", {4})
      .integers("rest", {-1});
  model.node("Shape", {"x"}, {"shape"});
  model.node("Gather", {"shape", "batch"}, {"b"});
  model.node("Gather", {"shape", "length"}, {"s"});
  model.node("Concat", {"b", "s", "heads", "rest"}, {"target"}).integer("axis", 0);
  model.node("Reshape", {"x", "target"}, {"y"});
  EXPECT_EQ(inspect(model).dims("y"), (Dims{2, 7, 4, 3}));
}

}  // namespace
}  // namespace jouletree::test
