#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

model::OnnxBuilder microsoft_model() {
  OnnxBuilder model(17);
  model.import_domain(kMicrosoftDomain, 1);
  return model;
}

std::string int32_bytes(std::int32_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

TEST(Attention, ComparesEveryQueryWithEveryKey) {
  OnnxBuilder model(23);
  model.input("q", DataType::Float32, {2, 8, 5, 16}).input("k", DataType::Float32, {2, 4, 7, 16});
  model.input("v", DataType::Float32, {2, 4, 7, 32});
  model.node("Attention", {"q", "k", "v"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 8, 5, 32}));
  constexpr std::int64_t kScores = 2 * 8 * 5 * 7;
  EXPECT_EQ(got.work("Attention").macs, Count(kScores * (16 + 32)));
  EXPECT_EQ(got.work("Attention").flops, Count(kScores * (2 * 48 + 6)));
}

TEST(Attention, AppendsPastKeysAndValues) {
  OnnxBuilder model(23);
  model.input("q", DataType::Float32, {1, 1, 64}).input("k", DataType::Float32, {1, 1, 32});
  model.input("v", DataType::Float32, {1, 1, 32});
  model.input("pk", DataType::Float32, {1, 2, 9, 16}).input("pv", DataType::Float32, {1, 2, 9, 16});
  model.node("Attention", {"q", "k", "v", "", "pk", "pv"}, {"y", "nk", "nv", "qk"})
      .integer("q_num_heads", 4)
      .integer("kv_num_heads", 2);
  model.output("y").output("nk").output("nv").output("qk");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 1, 64}));
  EXPECT_EQ(got.dims("nk"), (Dims{1, 2, 10, 16}));
  EXPECT_EQ(got.dims("nv"), (Dims{1, 2, 10, 16}));
  EXPECT_EQ(got.dims("qk"), (Dims{1, 4, 1, 10}));
  EXPECT_EQ(got.work("Attention").macs, Count(4 * 10 * 32));
}

TEST(Attention, RejectsHeadsThatDoNotDivideTheWidth) {
  OnnxBuilder model(23);
  model.input("q", DataType::Float32, {1, 3, 65});
  model.node("Attention", {"q", "q", "q"}, {"y"})
      .integer("q_num_heads", 4)
      .integer("kv_num_heads", 4);
  model.output("y");
  EXPECT_NE(error_of(model).find("65 elements cannot be split into 4 parts"), std::string::npos);
}

TEST(Attention, CountsTheProjectionsInsideTheOperator) {
  OnnxBuilder model = microsoft_model();
  model.input("x", DataType::Float32, {2, 6, 12}).initializer("w", DataType::Float32, {12, 24});
  model.initializer("b", DataType::Float32, {24});
  model.node("Attention", {"x", "w", "b"}, {"y", "present"})
      .domain(kMicrosoftDomain)
      .integer("num_heads", 4);
  model.output("y").output("present");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 6, 8}));
  EXPECT_EQ(got.dims("present"), (Dims{2, 2, 4, 6, 2}));
  EXPECT_EQ(got.work("Attention").macs, Count(12 * 12 * 24 + 2 * 4 * 36 * 4));
}

TEST(Attention, ReadsPackedQueriesKeysAndValues) {
  OnnxBuilder model = microsoft_model();
  model.input("qkv", DataType::Float32, {2, 6, 4, 3, 8});
  model.node("MultiHeadAttention", {"qkv"}, {"y"}).domain(kMicrosoftDomain).integer("num_heads", 4);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 6, 32}));
  EXPECT_EQ(got.work("MultiHeadAttention").macs, Count(2 * 4 * 36 * 16));
}

TEST(Attention, LetsQueriesLookAtOtherSequences) {
  OnnxBuilder model = microsoft_model();
  model.input("q", DataType::Float32, {2, 6, 32}).input("k", DataType::Float32, {2, 4, 10, 8});
  model.node("MultiHeadAttention", {"q", "k", "k"}, {"y"})
      .domain(kMicrosoftDomain)
      .integer("num_heads", 4);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 6, 32}));
  EXPECT_EQ(got.work("MultiHeadAttention").macs, Count(2 * 4 * 60 * 16));
}

model::OnnxBuilder group_query_model(std::int32_t total, std::int64_t room) {
  OnnxBuilder model = microsoft_model();
  model.input("qkv", DataType::Float32, {1, 1, (8 + 2 * 2) * 16});
  model.input("past", DataType::Float32, {1, 2, room, 16}).input("lengths", DataType::Int32, {1});
  model.initializer("total", DataType::Int32, {}, int32_bytes(total));
  model
      .node("GroupQueryAttention", {"qkv", "", "", "past", "past", "lengths", "total"},
            {"y", "k", "v"})
      .domain(kMicrosoftDomain)
      .integer("num_heads", 8)
      .integer("kv_num_heads", 2);
  model.output("y").output("k").output("v");
  return model;
}

TEST(Attention, GrowsAFullCacheAndKeepsARoomyOne) {
  const Inspected full = inspect(group_query_model(21, 20));
  EXPECT_EQ(full.dims("y"), (Dims{1, 1, 128}));
  EXPECT_EQ(full.dims("k"), (Dims{1, 2, 21, 16}));
  EXPECT_EQ(full.work("GroupQueryAttention").macs, Count(8 * 21 * 32));
  const Inspected roomy = inspect(group_query_model(21, 64));
  EXPECT_EQ(roomy.dims("v"), (Dims{1, 2, 64, 16}));
  EXPECT_EQ(roomy.work("GroupQueryAttention").macs, Count(8 * 21 * 32));
}

TEST(Attention, TurnsOnlyTheRotaryPartOfEachHead) {
  OnnxBuilder model = microsoft_model();
  model.input("x", DataType::Float32, {1, 5, 64}).input("ids", DataType::Int64, {1, 5});
  model.initializer("cos", DataType::Float32, {100, 4})
      .initializer("sin", DataType::Float32, {100, 4});
  model.node("RotaryEmbedding", {"x", "ids", "cos", "sin"}, {"y"})
      .domain(kMicrosoftDomain)
      .integer("num_heads", 4)
      .integer("rotary_embedding_dim", 8);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 5, 64}));
  EXPECT_EQ(got.work("RotaryEmbedding").flops, Count(5 * 4 * 8 * 3));
  EXPECT_EQ(got.work("RotaryEmbedding").read_bytes, Count(5 * 64 * 4 + 5 * 8 + 5 * 2 * 16));
}

TEST(Attention, CountsTheBlocksOfASparseMask) {
  OnnxBuilder model = microsoft_model();
  model.input("qkv", DataType::Float32, {1, 32, 3 * 2 * 8});
  model.input("past", DataType::Float32, {1, 2, 64, 8}).input("lengths", DataType::Int32, {1});
  model.initializer("rows", DataType::Int32, {1, 3},
                    int32_bytes(0) + int32_bytes(1) + int32_bytes(3));
  model.initializer("columns", DataType::Int32, {1, 3});
  model.initializer("total", DataType::Int32, {}, int32_bytes(32));
  model
      .node("SparseAttention",
            {"qkv", "", "", "past", "past", "rows", "columns", "total", "lengths"}, {"y", "k", "v"})
      .domain(kMicrosoftDomain)
      .integer("num_heads", 2)
      .integer("kv_num_heads", 2)
      .integer("sparse_block_size", 16);
  model.output("y").output("k").output("v");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 32, 16}));
  EXPECT_EQ(got.work("SparseAttention").macs, Count(2 * (16 * 16 + 16 * 32) * 16));
}

TEST(Attention, KeepsOneMatrixPerHeadInLinearAttention) {
  OnnxBuilder model = microsoft_model();
  model.input("q", DataType::Float32, {2, 5, 4 * 8}).input("k", DataType::Float32, {2, 5, 2 * 8});
  model.input("v", DataType::Float32, {2, 5, 2 * 16});
  model.node("LinearAttention", {"q", "k", "v"}, {"y", "state"})
      .domain(kMicrosoftDomain)
      .integer("q_num_heads", 4)
      .integer("kv_num_heads", 2)
      .text("update_rule", "linear");
  model.output("y").output("state");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 5, 64}));
  EXPECT_EQ(got.dims("state"), (Dims{2, 2, 8, 16}));
  EXPECT_EQ(got.work("LinearAttention").macs, Count(10 * 8 * 16 * (2 + 4)));
}

TEST(Attention, TakesLengthsOfAPositionBiasFromContent) {
  OnnxBuilder model = microsoft_model();
  model.initializer("table", DataType::Float32, {32, 8}).integers("length", {10});
  model.node("RelativePositionBias", {"table", "length", "length"}, {"y"})
      .domain(kMicrosoftDomain)
      .integer("max_distance", 128);
  model.output("y");
  EXPECT_EQ(inspect(model).dims("y"), (Dims{1, 8, 10, 10}));
}

}  // namespace
}  // namespace jouletree::test
