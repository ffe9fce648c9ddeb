#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using Integers = std::vector<std::int64_t>;

TEST(Logic, ComparesElementByElement) {
  OnnxBuilder model;
  model.integers("a", {1, 5, 3}).integers("b", {3});
  model.node("Less", {"a", "b"}, {"less"});
  model.node("GreaterOrEqual", {"a", "b"}, {"not_less"});
  model.node("Equal", {"a", "b"}, {"equal"});
  model.node("Or", {"less", "equal"}, {"at_most"});
  model.node("Not", {"at_most"}, {"greater"});
  model.output("greater", DataType::Bool);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("less"), DataType::Bool);
  EXPECT_EQ(got.content("less"), (Integers{1, 0, 0}));
  EXPECT_EQ(got.content("not_less"), (Integers{0, 1, 1}));
  EXPECT_EQ(got.content("at_most"), (Integers{1, 0, 1}));
  EXPECT_EQ(got.content("greater"), (Integers{0, 1, 0}));
  EXPECT_EQ(got.work("Less").flops, Count(3));
}

TEST(Logic, WhereResolvesTheShapeIdiomOfExporters) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 1});
  model.integers("wanted", {3, 2, -1}).integers("minus_one", {-1});
  model.integers("three", {3});
  model.node("ConstantOfShape", {"three"}, {"ones"})
      .tensor("value", DataType::Int64, {1}, std::string_view("\1\0\0\0\0\0\0\0", 8));
  model.node("Equal", {"wanted", "minus_one"}, {"open"});
  model.node("Where", {"open", "ones", "wanted"}, {"shape"});
  model.output("shape", DataType::Int64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("shape"), (Integers{3, 2, 1}));
  EXPECT_EQ(got.work("Where").flops, Count(0));
}

TEST(Logic, WhereNeedsOnlyTheChosenSide) {
  OnnxBuilder model;
  model.input("data", DataType::Int64, {2}).integers("known", {7, 8});
  model.initializer("yes", DataType::Bool, {2}, std::string_view("\1\1", 2));
  model.node("Where", {"yes", "known", "data"}, {"y"});
  model.output("y", DataType::Int64);
  EXPECT_EQ(inspect(model).content("y"), (Integers{7, 8}));
}

TEST(Logic, CastCutsRealsAndWrapsIntegers) {
  OnnxBuilder model;
  model.reals("reals", {2.9F, -2.9F}).integers("integers", {300, -1});
  model.node("Cast", {"reals"}, {"cut"}).integer("to", 7);
  model.node("Cast", {"integers"}, {"byte"}).integer("to", 2);
  model.node("Cast", {"integers"}, {"truth"}).integer("to", 9);
  model.node("Cast", {"integers"}, {"half"}).integer("to", 10);
  model.output("cut").output("byte").output("truth").output("half");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("cut"), (Integers{2, -2}));
  EXPECT_EQ(got.content("byte"), (Integers{44, 255}));
  EXPECT_EQ(got.type("byte"), DataType::UInt8);
  EXPECT_EQ(got.content("truth"), (Integers{1, 1}));
  EXPECT_EQ(got.real_content("half"), (std::vector<double>{300, -1}));
}

TEST(Logic, CastRoundsToHalfPrecision) {
  OnnxBuilder model;
  model.reals("x", {2049.0F, 70000.0F, 1e-8F});
  model.node("Cast", {"x"}, {"y"}).integer("to", 10);
  model.output("y");
  EXPECT_EQ(inspect(model).real_content("y"),
            (std::vector<double>{2048, std::numeric_limits<double>::infinity(), 0}));
}

TEST(Logic, CastLeavesWhatNoMachineAgreesOnUnknown) {
  OnnxBuilder model;
  model.reals("x", {1e20F});
  model.node("Cast", {"x"}, {"y"}).integer("to", 7);
  model.output("y", DataType::Int64);
  EXPECT_FALSE(inspect(model).has_content("y"));
}

TEST(Logic, CastNamesAnImpossibleType) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1});
  model.node("Cast", {"x"}, {"y"}).integer("to", 99);
  model.output("y");
  EXPECT_NE(error_of(model).find("'to' is 99"), std::string::npos) << error_of(model);
}

TEST(Logic, CastLikeReadsOnlyItsFirstInput) {
  OnnxBuilder model(19);
  model.input("x", DataType::Float32, {4}).input("like", DataType::Float16, {1000});
  model.node("CastLike", {"x", "like"}, {"y"});
  model.output("y", DataType::Float16);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::Float16);
  EXPECT_EQ(got.work("CastLike").read_bytes, Count(16));
}

TEST(Logic, BitCastKeepsTheWidth) {
  OnnxBuilder model(26);
  model.input("x", DataType::Float32, {4});
  model.node("BitCast", {"x"}, {"y"}).integer("to", 7);
  model.output("y", DataType::Int64);
  EXPECT_NE(error_of(model).find("float32 as int64"), std::string::npos) << error_of(model);
}

}  // namespace
}  // namespace jouletree::test
