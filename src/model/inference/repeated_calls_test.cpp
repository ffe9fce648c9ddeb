#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

/// What was found for one value was taken over for another: they share their content.
bool share_content(const Inspected& got, std::string_view a, std::string_view b) {
  const auto content = [&](std::string_view name) {
    for (std::size_t i = 0; i < got.graph().values.size(); ++i)
      if (got.graph().values[i].name == name) return got.inference().contents.at(i).get();
    throw std::out_of_range(std::string(name));
  };
  return content(a) == content(b) && content(a) != nullptr;
}

OnnxBuilder model_with_two_inputs() {
  OnnxBuilder model;
  model.input("a", DataType::Float32, {2, 3, 8}).input("b", DataType::Float32, {2, 3, 8});
  return model;
}

TEST(RepeatedCalls, ALayerThatComesAgainHasTheResultsOfTheFirst) {
  OnnxBuilder model = model_with_two_inputs();
  model.initializer("v", DataType::Float32, {8, 4}).initializer("w", DataType::Float32, {8, 4});
  model.node("MatMul", {"a", "v"}, {"x"}).name("first");
  model.node("MatMul", {"b", "w"}, {"y"}).name("second");
  model.node("Shape", {"x"}, {"p"});
  model.node("Shape", {"y"}, {"q"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 3, 4}));
  EXPECT_EQ(got.work("second").macs, Count(2 * 3 * 8 * 4));
  EXPECT_EQ(got.work("second").read_bytes, got.work("first").read_bytes);
  EXPECT_EQ(got.status("second"), NodeStatus::Counted);
  EXPECT_EQ(got.result("second").runs, Count(1));
  EXPECT_TRUE(share_content(got, "p", "q"));
}

TEST(RepeatedCalls, ConstantsThatARuleReadsMustBeTheSame) {
  OnnxBuilder model = model_with_two_inputs();
  model.integers("wide", {2, -1}).integers("narrow", {6, -1}).integers("as wide", {2, -1});
  model.node("Reshape", {"a", "wide"}, {"x"});
  model.node("Reshape", {"b", "narrow"}, {"y"});
  model.node("Reshape", {"b", "as wide"}, {"z"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("x"), (Dims{2, 24}));
  EXPECT_EQ(got.dims("y"), (Dims{6, 8}));
  EXPECT_EQ(got.dims("z"), (Dims{2, 24}));
  EXPECT_EQ(got.content("as wide"), (std::vector<std::int64_t>{2, -1}));
}

TEST(RepeatedCalls, ContentsThatWereFoundMustBeTheSame) {
  OnnxBuilder model = model_with_two_inputs();
  model.integers("first", {0}).integers("last", {2});
  model.node("Shape", {"a"}, {"dims"});
  model.node("Gather", {"dims", "first"}, {"batch"});
  model.node("Gather", {"dims", "last"}, {"width"});
  model.node("ConstantOfShape", {"batch"}, {"x"});
  model.node("ConstantOfShape", {"width"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("x"), (Dims{2}));
  EXPECT_EQ(got.dims("y"), (Dims{8}));
}

TEST(RepeatedCalls, WhetherAContentIsKnownMakesADifference) {
  OnnxBuilder model;
  model.input("n", DataType::Int64, {1}).input("a", DataType::Float32, {4});
  model.node("Shape", {"a"}, {"known"});
  model.node("ConstantOfShape", {"known"}, {"x"});
  model.node("ConstantOfShape", {"n"}, {"y"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("x"), (Dims{4}));
  EXPECT_EQ(got.dims("y"), (Dims{kUnknownDim}));
}

TEST(RepeatedCalls, AttributesMustBeTheSame) {
  OnnxBuilder model = model_with_two_inputs();
  model.node("Transpose", {"a"}, {"x"}).ints("perm", {0, 2, 1});
  model.node("Transpose", {"b"}, {"y"}).ints("perm", {2, 0, 1});
  model.node("Transpose", {"b"}, {"z"});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("x"), (Dims{2, 8, 3}));
  EXPECT_EQ(got.dims("y"), (Dims{8, 2, 3}));
  EXPECT_EQ(got.dims("z"), (Dims{8, 3, 2}));
}

TEST(RepeatedCalls, TensorsInAttributesMustBeTheSame) {
  const std::string one("\x01\0\0\0\0\0\0\0", 8);
  const std::string two("\x02\0\0\0\0\0\0\0", 8);
  OnnxBuilder model;
  model.integers("length", {2});
  model.node("ConstantOfShape", {"length"}, {"x"}).tensor("value", DataType::Int64, {1}, one);
  model.node("ConstantOfShape", {"length"}, {"y"}).tensor("value", DataType::Int64, {1}, two);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("x"), (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(got.content("y"), (std::vector<std::int64_t>{2, 2}));
}

TEST(RepeatedCalls, AValueThatIsReadTwiceIsNotAsTwoValues) {
  OnnxBuilder model = model_with_two_inputs();
  model.node("Add", {"a", "b"}, {"x"}).name("two");
  model.node("Add", {"a", "a"}, {"y"}).name("one");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.work("two").read_bytes, Count(2 * 2 * 3 * 8 * 4));
  EXPECT_EQ(got.work("one").read_bytes, Count(2 * 3 * 8 * 4));
}

TEST(RepeatedCalls, WhatTheFileSaysOfAnOutputIsNotTakenOver) {
  OnnxBuilder model = model_with_two_inputs();
  model.node("Unheard", {"a"}, {"x"}).domain("nobody");
  model.node("Unheard", {"b"}, {"y"}).domain("nobody");
  model.value_info("x", DataType::Float32, {5});
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("x"), (Dims{5}));
  EXPECT_FALSE(got.has_dims("y"));
}

TEST(RepeatedCalls, EveryNodeWithANoteIsNamed) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 3, 8, 8});
  for (const char* const name : {"one", "other"})
    model.node("ReorderInput", {"x"}, {name}).domain("com.microsoft.nchwc").name(name);
  EXPECT_THAT(inspect(model).notes(), ::testing::IsSupersetOf({::testing::HasSubstr("'one'"),
                                                               ::testing::HasSubstr("'other'")}));
}

}  // namespace
}  // namespace jouletree::test
