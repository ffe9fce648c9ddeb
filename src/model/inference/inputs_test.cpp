#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inference/dim_expression.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

model::OnnxBuilder tokens_and_mask() {
  OnnxBuilder model;
  model.symbolic_input("tokens", DataType::Int64, {"batch", "seq"});
  model.symbolic_input("mask", DataType::Int64, {"batch", "past + seq"});
  model.node("Identity", {"tokens"}, {"a"});
  model.node("Identity", {"mask"}, {"b"});
  model.output("a").output("b");
  return model;
}

TEST(Inputs, OpenDimensionsCountAsOneAndTheOutputSaysSo) {
  const Inspected got = inspect(tokens_and_mask());
  EXPECT_EQ(got.dims("a"), (Dims{1, 1}));
  EXPECT_EQ(got.dims("b"), (Dims{1, 2}));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("counted as 1: batch, past, seq")));
}

TEST(Inputs, SymbolsHoldForEveryInputAndExpression) {
  InputSettings settings;
  settings.symbols = {{"batch", 8}, {"seq", 128}, {"past", 0}};
  const Inspected got = inspect(tokens_and_mask(), settings);
  EXPECT_EQ(got.dims("a"), (Dims{8, 128}));
  EXPECT_EQ(got.dims("b"), (Dims{8, 128}));
  EXPECT_THAT(got.notes(), IsEmpty());
}

TEST(Inputs, AnExpressionCanBeSetAsAWhole) {
  InputSettings settings;
  settings.symbols = {{"batch", 8}, {"seq", 128}, {"past + seq", 200}};
  EXPECT_EQ(inspect(tokens_and_mask(), settings).dims("b"), (Dims{8, 200}));
}

TEST(Inputs, TheShapeOfOneInputFixesItsSymbolsForTheOthers) {
  InputSettings settings;
  settings.shapes["tokens"] = {4, 16};
  settings.symbols["past"] = 0;
  EXPECT_EQ(inspect(tokens_and_mask(), settings).dims("b"), (Dims{4, 16}));
}

TEST(Inputs, ContradictingSizesAreRefused) {
  InputSettings settings;
  settings.shapes["tokens"] = {4, 16};
  settings.symbols["batch"] = 5;
  EXPECT_THAT(error_of(tokens_and_mask(), settings), HasSubstr("dimension 'batch' is 4"));
}

TEST(Inputs, AShapeThatTheFileFixesOtherwiseIsCountedAndNoted) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8});
  model.node("Relu", {"x"}, {"y"});
  model.value_info("y", DataType::Float32, {1, 8}).output("y");
  InputSettings settings;
  settings.shapes["x"] = {4, 8};
  const Inspected got = inspect(model, settings);
  EXPECT_EQ(got.dims("y"), (Dims{4, 8}));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("fixed to 1x8")));
}

TEST(Inputs, OneValueFillsTheWholeInput) {
  OnnxBuilder model;
  model.input("n", DataType::Int64, {2}).input("x", DataType::Float32, {1});
  model.node("Expand", {"x", "n"}, {"y"});
  model.output("y");
  InputSettings settings;
  settings.values["n"] = {Scalar::integer(3)};
  EXPECT_EQ(inspect(model, settings).dims("y"), (Dims{3, 3}));
}

TEST(Inputs, AnErrorNamesTheDimensionsThatNobodySet) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"length"});
  model.input("two", DataType::Float32, {2}).input("three", DataType::Float32, {3});
  model.node("Add", {"two", "three"}, {"y"}).name("add");
  model.output("y");
  EXPECT_THAT(error_of(model), AllOf(HasSubstr("'add'"), HasSubstr("counted as 1: length")));
}

TEST(Inputs, ShapesInTheFileHelpBehindAnUnknownOperator) {
  OnnxBuilder model;
  model.import_domain("elsewhere", 1);
  model.input("x", DataType::Float32, {2, 3});
  model.node("Mystery", {"x"}, {"m"}).domain("elsewhere");
  model.node("Relu", {"m"}, {"y"});
  model.value_info("m", DataType::Float32, {5, 7}).output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{5, 7}));
  EXPECT_EQ(got.status("Mystery"), NodeStatus::NoRule);
  EXPECT_FALSE(got.work("Mystery").flops.known());
}

TEST(DimExpression, FollowsTheRulesOfArithmetic) {
  const auto value = [](std::string_view text) {
    return model::evaluate_dim_expression(text, [](std::string_view name) {
      return name == "a"   ? std::optional<Dim>(10)
             : name == "b" ? std::optional<Dim>(3)
                           : std::nullopt;
    });
  };
  EXPECT_EQ(value("a + b*2"), 16);
  EXPECT_EQ(value("(a+b)*2"), 26);
  EXPECT_EQ(value("floor(a/b) - 1"), 2);
  EXPECT_EQ(value("a//4"), 2);
  EXPECT_EQ(value("a + c"), std::nullopt);
  EXPECT_EQ(value("a b"), std::nullopt);
  EXPECT_EQ(value("a/0"), std::nullopt);
  EXPECT_EQ(value(std::string(1000, '(')), std::nullopt);
}

/// The chain that exporters write for x.view(x.size(0), -1, heads, width).
TEST(ValuePropagation, ResolvesTheShapeChainOfAnAttentionLayer) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"batch", "seq", "768"});
  model.integers("zero", {0}).integers("one", {1}).integers("heads", {12, 64});
  model.node("Shape", {"x"}, {"s"});
  model.node("Gather", {"s", "zero"}, {"b"}).name("batch");
  model.node("Slice", {"s", "one", "two"}, {"l"});
  model.integers("two", {2});
  model.node("Concat", {"b", "l", "heads"}, {"t"}).integer("axis", 0);
  model.node("Reshape", {"x", "t"}, {"h"});
  model.node("Transpose", {"h"}, {"y"}).ints("perm", {0, 2, 1, 3});
  model.output("y");
  InputSettings settings;
  settings.symbols = {{"batch", 8}, {"seq", 128}};
  EXPECT_EQ(inspect(model, settings).dims("y"), (Dims{8, 12, 128, 64}));
}

}  // namespace
}  // namespace jouletree::test
