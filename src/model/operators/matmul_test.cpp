#include <gtest/gtest.h>

#include "jouletree/parameters.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

std::int64_t params_of(const Inspected& model) {
  std::int64_t params = 0;
  for (const ConstantUse& use : classify_constants(model.graph()).by_value)
    if (use.role == ConstantRole::Parameter) params += use.elements;
  return params;
}

Inspected multiplied(const Dims& a, const Dims& b) {
  OnnxBuilder model;
  model.input("a", DataType::Float32, a).input("b", DataType::Float32, b);
  model.node("MatMul", {"a", "b"}, {"y"});
  model.output("y");
  return inspect(model);
}

TEST(Matmul, MultipliesMatricesBatchesAndVectors) {
  EXPECT_EQ(multiplied({3, 4}, {4, 5}).dims("y"), (Dims{3, 5}));
  EXPECT_EQ(multiplied({3, 4}, {4, 5}).work("MatMul").macs, Count(60));
  EXPECT_EQ(multiplied({3, 4}, {4, 5}).work("MatMul").flops, Count(120));
  EXPECT_EQ(multiplied({2, 1, 3, 4}, {7, 4, 5}).dims("y"), (Dims{2, 7, 3, 5}));
  EXPECT_EQ(multiplied({4}, {4}).dims("y"), Dims{});
  EXPECT_EQ(multiplied({4}, {4}).work("MatMul").macs, Count(4));
  EXPECT_EQ(multiplied({2, 3, 4}, {4}).dims("y"), (Dims{2, 3}));
}

TEST(Matmul, RejectsMatricesThatDoNotFit) {
  OnnxBuilder model;
  model.input("a", DataType::Float32, {3, 4}).input("b", DataType::Float32, {5, 6});
  model.node("MatMul", {"a", "b"}, {"y"}).name("layer");
  model.output("y");
  EXPECT_NE(error_of(model).find("node 'layer' (MatMul): cannot multiply 3x4 by 5x6"),
            std::string::npos);
}

TEST(Matmul, TransposesTheOperandsOfGemmAndAddsABias) {
  OnnxBuilder model(13);
  model.input("a", DataType::Float32, {8, 2}).initializer("b", DataType::Float32, {5, 8});
  model.initializer("c", DataType::Float32, {5});
  model.node("Gemm", {"a", "b", "c"}, {"y"}).integer("transA", 1).integer("transB", 1);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 5}));
  EXPECT_EQ(got.work("Gemm").macs, Count(80));
  EXPECT_EQ(got.work("Gemm").flops, Count(160 + 10));
  EXPECT_EQ(params_of(got), 45);
}

TEST(Matmul, CountsScalingInGemm) {
  OnnxBuilder model(13);
  model.input("a", DataType::Float32, {2, 8}).input("b", DataType::Float32, {8, 5});
  model.input("c", DataType::Float32, {5});
  model.node("Gemm", {"a", "b", "c"}, {"y"}).real("alpha", 0.5F).real("beta", 2.0F);
  model.output("y");
  EXPECT_EQ(inspect(model).work("Gemm").flops, Count(160 + 10 + 10 + 5));
}

TEST(Matmul, RejectsABiasLargerThanTheProductOfGemm) {
  OnnxBuilder model(13);
  model.input("a", DataType::Float32, {1, 8}).input("b", DataType::Float32, {8, 5});
  model.input("c", DataType::Float32, {3, 5});
  model.node("Gemm", {"a", "b", "c"}, {"y"});
  model.output("y");
  EXPECT_NE(error_of(model).find("cannot add 3x5 to 1x5"), std::string::npos);
}

TEST(Matmul, MovesTheFirstDimensionBehindTheBatchWhereAsked) {
  OnnxBuilder model;
  model.import_domain(kMicrosoftDomain, 1);
  model.input("a", DataType::Float32, {3, 2, 4}).input("b", DataType::Float32, {2, 5, 4});
  model.node("FusedMatMul", {"a", "b"}, {"y"})
      .domain(kMicrosoftDomain)
      .integer("transBatchA", 1)
      .integer("transB", 1)
      .real("alpha", 0.5F);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 3, 5}));
  EXPECT_EQ(got.work("FusedMatMul").macs, Count(120));
  EXPECT_EQ(got.work("FusedMatMul").flops, Count(240 + 30));
}

TEST(Matmul, AccumulatesBytesInWords) {
  OnnxBuilder model(10);
  model.input("a", DataType::UInt8, {4, 3}).initializer("b", DataType::UInt8, {3, 2});
  model.node("MatMulInteger", {"a", "b"}, {"y"});
  model.output("y", DataType::Int32);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::Int32);
  EXPECT_EQ(params_of(got), 6);
}

TEST(Matmul, GivesAQuantizedProductTheTypeOfItsZeroPoint) {
  OnnxBuilder model(10);
  model.input("a", DataType::UInt8, {4, 3}).initializer("b", DataType::Int8, {3, 2});
  model.reals("s", {1.0F})
      .initializer("za", DataType::UInt8, {})
      .initializer("zb", DataType::Int8, {});
  model.node("QLinearMatMul", {"a", "s", "za", "b", "s", "zb", "s", "zb"}, {"y"});
  model.output("y", DataType::Int8);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.type("y"), DataType::Int8);
  EXPECT_EQ(got.dims("y"), (Dims{4, 2}));
  EXPECT_EQ(got.work("QLinearMatMul").macs, Count(24));
  EXPECT_EQ(params_of(got), 6);
}

TEST(Matmul, CountsPackedWeightsByTheirLogicalElements) {
  OnnxBuilder model(21);
  model.import_domain(kMicrosoftDomain, 1).input("a", DataType::Float32, {1, 7, 64});
  model.initializer("w", DataType::UInt8, {10, 2, 16}).initializer("s", DataType::Float32, {10, 2});
  model.node("MatMulNBits", {"a", "w", "s"}, {"y"})
      .domain(kMicrosoftDomain)
      .integer("K", 64)
      .integer("N", 10)
      .integer("bits", 4)
      .integer("block_size", 32);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 7, 10}));
  EXPECT_EQ(got.work("MatMulNBits").macs, Count(7 * 64 * 10));
  EXPECT_EQ(got.work("MatMulNBits").flops, Count(2 * 7 * 64 * 10 + 2 * 640));
  EXPECT_EQ(params_of(got), 640);
}

TEST(Matmul, RejectsPackedWeightsWithoutASize) {
  OnnxBuilder model(21);
  model.import_domain(kMicrosoftDomain, 1).input("a", DataType::Float32, {7, 64});
  model.initializer("w", DataType::UInt8, {10, 2, 16}).initializer("s", DataType::Float32, {10, 2});
  model.node("MatMulNBits", {"a", "w", "s"}, {"y"}).domain(kMicrosoftDomain);
  model.output("y");
  EXPECT_NE(error_of(model).find("'K' should be positive"), std::string::npos);
}

TEST(Matmul, ReadsOnlyTheRowsItGathers) {
  OnnxBuilder model(21);
  model.import_domain(kMicrosoftDomain, 1).input("ids", DataType::Int64, {1, 3});
  model.initializer("w", DataType::UInt8, {100, 16}).initializer("s", DataType::Float32, {100, 1});
  model.node("GatherBlockQuantized", {"w", "ids", "s"}, {"y"})
      .domain(kMicrosoftDomain)
      .integer("block_size", 32);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 3, 32}));
  EXPECT_EQ(got.type("y"), DataType::Float32);
  EXPECT_EQ(got.work("GatherBlockQuantized").read_bytes, Count(3 * (16 + 4) + 24));
  EXPECT_EQ(params_of(got), 3200);
}

TEST(Matmul, SendsEachTokenToTheChosenExpertsOnly) {
  OnnxBuilder model(21);
  model.import_domain(kMicrosoftDomain, 1).input("x", DataType::Float32, {1, 8});
  model.input("router", DataType::Float32, {1, 16});
  model.initializer("up", DataType::Float32, {16, 32, 8});
  model.initializer("down", DataType::Float32, {16, 8, 32});
  model.node("MoE", {"x", "router", "up", "", "down"}, {"y"})
      .domain(kMicrosoftDomain)
      .integer("k", 2);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 8}));
  EXPECT_EQ(got.work("MoE").macs, Count(2 * 2 * 256));
  EXPECT_EQ(got.work("MoE").read_bytes, Count((8 + 16 + 2 * 2 * 256) * 4));
  EXPECT_EQ(params_of(got), 2 * 16 * 256);
}

TEST(Matmul, TakesTheDeterminantOfEveryMatrix) {
  OnnxBuilder model(11);
  model.input("x", DataType::Float32, {2, 5, 3, 3});
  model.node("Det", {"x"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 5}));
  EXPECT_EQ(got.work("Det").flops, Count(10 * 18));
}

TEST(Matmul, MeasuresTheDistanceOfEveryPairOfRows) {
  OnnxBuilder model(21);
  model.import_domain(kMicrosoftDomain, 1).input("a", DataType::Float32, {4, 3});
  model.input("b", DataType::Float32, {5, 3});
  model.node("CDist", {"a", "b"}, {"y"}).domain(kMicrosoftDomain).text("metric", "euclidean");
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{4, 5}));
  EXPECT_EQ(got.work("CDist").macs, Count(4 * 5 * 3));
  // Difference, product and sum of every pair of elements, and the root.
  EXPECT_EQ(got.work("CDist").flops, Count(4 * 5 * (3 * 3 + 1)));
}

}  // namespace
}  // namespace jouletree::test
