#include <cstring>

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using Integers = std::vector<std::int64_t>;

template <class Number>
std::string bytes_of(Number value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

/// A Range over three scalars of type `type`.
template <class Number>
model::OnnxBuilder range_model(DataType type, Number start, Number limit, Number delta) {
  OnnxBuilder model(11);
  model.initializer("start", type, {}, bytes_of(start));
  model.initializer("limit", type, {}, bytes_of(limit));
  model.initializer("delta", type, {}, bytes_of(delta));
  model.node("Range", {"start", "limit", "delta"}, {"y"});
  model.output("y", type);
  return model;
}

TEST(Creation, RangeCountsIntegersBothWays) {
  const auto up = range_model<std::int64_t>(DataType::Int64, 3, 10, 3);
  EXPECT_EQ(inspect(up).content("y"), (Integers{3, 6, 9}));
  const auto down = range_model<std::int32_t>(DataType::Int32, 10, 4, -2);
  EXPECT_EQ(inspect(down).content("y"), (Integers{10, 8, 6}));
  const auto empty = range_model<std::int64_t>(DataType::Int64, 5, 5, 1);
  EXPECT_EQ(inspect(empty).dims("y"), (Dims{0}));
}

TEST(Creation, RangeAddsFloatsUpInSinglePrecision) {
  const Inspected got = inspect(range_model<float>(DataType::Float32, 0.0F, 1.0F, 0.1F));
  ASSERT_EQ(got.dims("y"), (Dims{10}));
  float value = 0;
  for (const double element : got.real_content("y")) {
    EXPECT_EQ(element, double{value});
    value += 0.1F;
  }
}

TEST(Creation, RangeRefusesToStandStill) {
  const auto model = range_model<std::int64_t>(DataType::Int64, 0, 5, 0);
  EXPECT_NE(error_of(model).find("its delta is zero"), std::string::npos) << error_of(model);
}

TEST(Creation, RangeOfDataHasAnUnknownLength) {
  OnnxBuilder model(11);
  model.input("limit", DataType::Int64, {});
  model.initializer("zero", DataType::Int64, {})
      .initializer("one", DataType::Int64, {}, bytes_of<std::int64_t>(1));
  model.node("Range", {"zero", "limit", "one"}, {"y"});
  model.output("y", DataType::Int64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{kUnknownDim}));
  EXPECT_EQ(got.status("Range"), NodeStatus::Unresolved);
}

TEST(Creation, MicrosoftRangeStepsByOneByDefault) {
  OnnxBuilder model(11);
  model.import_domain("com.microsoft", 1);
  model.initializer("start", DataType::Int32, {}, bytes_of<std::int32_t>(2));
  model.initializer("limit", DataType::Int32, {}, bytes_of<std::int32_t>(5));
  model.node("Range", {"start", "limit"}, {"y"}).domain("com.microsoft");
  model.output("y", DataType::Int32);
  EXPECT_EQ(inspect(model).content("y"), (Integers{2, 3, 4}));
}

TEST(Creation, FillsAShapeWithItsValue) {
  OnnxBuilder model(9);
  model.integers("shape", {2, 3});
  model.node("ConstantOfShape", {"shape"}, {"sevens"})
      .tensor("value", DataType::Int32, {1}, bytes_of<std::int32_t>(7));
  model.node("ConstantOfShape", {"shape"}, {"zeros"});
  model.output("sevens", DataType::Int32).output("zeros");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("sevens"), (Dims{2, 3}));
  EXPECT_EQ(got.type("sevens"), DataType::Int32);
  EXPECT_EQ(got.content("sevens"), Integers(6, 7));
  EXPECT_EQ(got.type("zeros"), DataType::Float32);
}

TEST(Creation, RefusesANegativeSize) {
  OnnxBuilder model(9);
  model.integers("shape", {2, -1});
  model.node("ConstantOfShape", {"shape"}, {"y"});
  model.output("y");
  EXPECT_NE(error_of(model).find("negative size"), std::string::npos) << error_of(model);
}

TEST(Creation, OneHotInsertsItsDepth) {
  OnnxBuilder model(11);
  model.integers("indices", {0, -1}).integers("depth", {3}).integers("values", {5, 9});
  model.node("OneHot", {"indices", "depth", "values"}, {"last"});
  model.node("OneHot", {"indices", "depth", "values"}, {"first"}).integer("axis", 0);
  model.output("last", DataType::Int64).output("first", DataType::Int64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("last"), (Dims{2, 3}));
  EXPECT_EQ(got.content("last"), (Integers{9, 5, 5, 5, 5, 9}));
  EXPECT_EQ(got.dims("first"), (Dims{3, 2}));
  EXPECT_EQ(got.content("first"), (Integers{9, 5, 5, 5, 5, 9}));
}

TEST(Creation, LikenessReadsNoData) {
  OnnxBuilder model(15);
  model.input("x", DataType::Float32, {4, 5});
  model.node("RandomNormalLike", {"x"}, {"noise"});
  model.node("EyeLike", {"x"}, {"eye"}).integer("dtype", 11);
  model.output("noise").output("eye", DataType::Float64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("noise"), (Dims{4, 5}));
  EXPECT_EQ(got.work("RandomNormalLike").read_bytes, Count(0));
  EXPECT_EQ(got.type("eye"), DataType::Float64);
  EXPECT_EQ(got.work("EyeLike").written_bytes, Count(160));
}

TEST(Creation, DrawsSamplesPerBatch) {
  OnnxBuilder model(15);
  model.input("x", DataType::Float32, {4, 5});
  model.node("Multinomial", {"x"}, {"y"}).integer("sample_size", 7);
  model.node("RandomUniform", {}, {"z"}).ints("shape", {2, 2}).integer("dtype", 11);
  model.output("y", DataType::Int32).output("z", DataType::Float64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{4, 7}));
  EXPECT_EQ(got.type("y"), DataType::Int32);
  EXPECT_EQ(got.type("z"), DataType::Float64);
}

}  // namespace
}  // namespace jouletree::test
