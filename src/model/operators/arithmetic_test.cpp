#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

/// The content of `op` applied to two lists of int64.
std::vector<std::int64_t> combined(const char* op, const std::vector<std::int64_t>& a,
                                   const std::vector<std::int64_t>& b) {
  OnnxBuilder model(18);
  model.integers("a", a).integers("b", b);
  model.node(op, {"a", "b"}, {"y"});
  model.output("y", DataType::Int64);
  return inspect(model).content("y");
}

TEST(Arithmetic, BroadcastsShapesFromBothSides) {
  OnnxBuilder model;
  model.input("a", DataType::Float32, {2, 1, 4}).input("b", DataType::Float32, {3, 1});
  model.node("Add", {"a", "b"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 3, 4}));
  EXPECT_EQ(got.work("Add").flops, Count(24));
  EXPECT_EQ(got.work("Add").macs, Count(0));
  EXPECT_EQ(got.work("Add").read_bytes, Count(44));
}

TEST(Arithmetic, CountsOneOperationLessThanOperandsOfASum) {
  OnnxBuilder model;
  model.input("a", DataType::Float32, {10}).input("b", DataType::Float32, {10});
  model.input("c", DataType::Float32, {1});
  model.node("Sum", {"a", "b", "c"}, {"sum"});
  model.node("Mean", {"a", "b", "c"}, {"mean"});
  model.output("sum").output("mean");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.work("Sum").flops, Count(20));
  EXPECT_EQ(got.work("Mean").flops, Count(30));
}

TEST(Arithmetic, ComputesBroadcastIntegerContentExactly) {
  EXPECT_EQ(combined("Add", {1, 2, 3}, {10}), (std::vector<std::int64_t>{11, 12, 13}));
  EXPECT_EQ(combined("Mul", {3037000500}, {3037000500}),
            (std::vector<std::int64_t>{-9223372036709301616}));
  EXPECT_EQ(combined("Div", {7, -7}, {2}), (std::vector<std::int64_t>{3, -3}));
  EXPECT_EQ(combined("Mod", {7, -7}, {3}), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(combined("Max", {7, -7}, {3}), (std::vector<std::int64_t>{7, 3}));
  EXPECT_EQ(combined("Pow", {3, 2}, {4}), (std::vector<std::int64_t>{81, 16}));
}

TEST(Arithmetic, SurvivesTheSmallestIntegerDividedByMinusOne) {
  constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(combined("Div", {kSmallest}, {-1}), (std::vector<std::int64_t>{kSmallest}));
  EXPECT_EQ(combined("Mod", {kSmallest}, {-1}), (std::vector<std::int64_t>{0}));
}

TEST(Arithmetic, LeavesADivisionByZeroUnknown) {
  OnnxBuilder model;
  model.integers("a", {6, 6}).integers("b", {0, 0});
  model.node("Div", {"a", "b"}, {"y"});
  model.output("y", DataType::Int64);
  EXPECT_FALSE(inspect(model).has_content("y"));
}

TEST(Arithmetic, RoundsFloatsToTheirTypeAndHalvesToEven) {
  OnnxBuilder model;
  model.reals("a", {0.5F, 1.5F, -2.5F}).reals("tenth", {0.1F}).reals("three", {3.0F});
  model.node("Round", {"a"}, {"rounded"});
  model.node("Mul", {"tenth", "three"}, {"product"});
  model.output("rounded").output("product");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.real_content("rounded"), (std::vector<double>{0, 2, -2}));
  EXPECT_EQ(got.real_content("product"), (std::vector<double>{double{0.1F * 3.0F}}));
}

TEST(Arithmetic, WrapsNarrowIntegers) {
  OnnxBuilder model(18);
  model.initializer("a", DataType::UInt8, {1}, "\xF0")
      .initializer("b", DataType::UInt8, {1}, "\x20");
  model.initializer("one", DataType::UInt8, {1}, "\x01");
  model.node("Add", {"a", "b"}, {"sum"});
  model.node("BitShift", {"a", "one"}, {"shifted"}).text("direction", "LEFT");
  model.node("BitwiseNot", {"a"}, {"inverse"});
  model.output("sum").output("shifted").output("inverse");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("sum"), (std::vector<std::int64_t>{0x10}));
  EXPECT_EQ(got.content("shifted"), (std::vector<std::int64_t>{0xE0}));
  EXPECT_EQ(got.content("inverse"), (std::vector<std::int64_t>{0x0F}));
}

TEST(Arithmetic, DoesNotReadWeightsThatMeetData) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {4, 8}).initializer("bias", DataType::Float32, {8});
  model.node("Add", {"x", "bias"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_FALSE(got.has_content("y"));
  EXPECT_FALSE(got.has_content("bias"));
}

TEST(Arithmetic, SaysWhichShapesDoNotFit) {
  OnnxBuilder model;
  model.input("a", DataType::Float32, {2, 3}).input("b", DataType::Float32, {4});
  model.node("Mul", {"a", "b"}, {"y"}).name("scale");
  model.output("y");
  const std::string error = error_of(model);
  EXPECT_NE(error.find("node 'scale' (Mul)"), std::string::npos) << error;
  EXPECT_NE(error.find("cannot broadcast 2x3 with 4"), std::string::npos) << error;
}

}  // namespace
}  // namespace jouletree::test
