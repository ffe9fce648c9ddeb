#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::model {
namespace {

using test::error_of;
using test::inspect;
using test::Inspected;

TEST(Sequence, KeepsTheShapeOfEveryItem) {
  OnnxBuilder model;
  model.input("a", DataType::Float32, {2, 3});
  model.input("b", DataType::Float32, {4, 3});
  model.integers("last", {-1});
  model.node("SequenceConstruct", {"a", "b"}, {"s"});
  model.node("SequenceAt", {"s", "last"}, {"item"});
  model.node("SequenceLength", {"s"}, {"n"});
  model.node("ConcatFromSequence", {"s"}, {"joined"}).integer("axis", 0);

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("s"), (Dims{kUnknownDim, 3}));
  EXPECT_EQ(got.dims("item"), (Dims{4, 3}));
  EXPECT_EQ(got.content("n"), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(got.dims("joined"), (Dims{6, 3}));
  EXPECT_EQ(got.status("ConcatFromSequence"), NodeStatus::Counted);
  EXPECT_EQ(got.work("ConcatFromSequence").written_bytes, Count(6 * 3 * 4));
}

TEST(Sequence, InsertsAndErasesAtPositionsCountedFromEitherEnd) {
  OnnxBuilder model;
  model.input("a", DataType::Float32, {1});
  model.input("b", DataType::Float32, {2});
  model.input("c", DataType::Float32, {3});
  model.integers("front", {0});
  model.node("SequenceConstruct", {"a", "b"}, {"ab"});
  model.node("SequenceInsert", {"ab", "c", "front"}, {"cab"});
  model.node("SequenceErase", {"cab"}, {"ca"});
  model.node("SequenceErase", {"ca", "front"}, {"rest"});
  model.node("SequenceAt", {"rest", "front"}, {"item"});

  const Inspected got = inspect(model);

  ASSERT_TRUE(got.value_type("cab").items);
  EXPECT_EQ(got.value_type("cab").items->front().dims, (Dims{3}));
  EXPECT_EQ(got.dims("item"), (Dims{1}));
}

TEST(Sequence, FollowsTheContentOfItems) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 3, 4});
  model.node("Shape", {"x"}, {"shape"});
  model.node("SplitToSequence", {"shape"}, {"sizes"}).integer("keepdims", 0);
  model.integers("index", {1});
  model.node("SequenceAt", {"sizes", "index"}, {"size"});
  model.node("SequenceInsert", {"sizes", "size"}, {"more"});
  model.node("ConcatFromSequence", {"more"}, {"target"}).integer("axis", 0).integer("new_axis", 1);

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("size"), Dims{});
  EXPECT_EQ(got.content("size"), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(got.content("target"), (std::vector<std::int64_t>{2, 3, 4, 3}));
}

TEST(Sequence, SplitsIntoEqualPartsAndARest) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 7});
  model.initializer("three", DataType::Int64, {}, std::string_view("\3\0\0\0\0\0\0\0", 8));
  model.integers("sizes", {2, 5});
  model.node("SplitToSequence", {"x", "three"}, {"parts"}).integer("axis", 1);
  model.node("SplitToSequence", {"x", "sizes"}, {"listed"}).integer("axis", -1);

  const Inspected got = inspect(model);

  ASSERT_TRUE(got.value_type("parts").items);
  ASSERT_EQ(got.value_type("parts").items->size(), 3U);
  EXPECT_EQ(got.value_type("parts").items->back().dims, (Dims{2, 1}));
  ASSERT_TRUE(got.value_type("listed").items);
  EXPECT_EQ(got.value_type("listed").items->back().dims, (Dims{2, 5}));
}

TEST(Sequence, KnowsWhetherAnOptionalIsEmpty) {
  OnnxBuilder model(18);
  model.input("x", DataType::Float32, {5});
  model.node("Optional", {"x"}, {"full"});
  model.node("Optional", {""}, {"empty"});
  model.node("OptionalHasElement", {"full"}, {"yes"});
  model.node("OptionalHasElement", {"empty"}, {"no"});
  model.node("OptionalGetElement", {"full"}, {"y"});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.content("yes"), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(got.content("no"), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(got.dims("y"), (Dims{5}));
}

TEST(Sequence, RefusesAPositionOutsideTheSequence) {
  OnnxBuilder model;
  model.input("a", DataType::Float32, {1});
  model.integers("index", {1});
  model.node("SequenceConstruct", {"a"}, {"s"});
  model.node("SequenceAt", {"s", "index"}, {"item"}).name("pick");

  EXPECT_NE(error_of(model).find("'pick' (SequenceAt): position 1 is outside a sequence of 1 item"),
            std::string::npos)
      << error_of(model);
}

TEST(Sequence, RefusesPartsThatDoNotAddUp) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {7});
  model.integers("sizes", {2, 4});
  model.node("SplitToSequence", {"x", "sizes"}, {"s"});

  EXPECT_NE(error_of(model).find("the parts add up to 6, the axis has 7"), std::string::npos);
}

}  // namespace
}  // namespace jouletree::model
