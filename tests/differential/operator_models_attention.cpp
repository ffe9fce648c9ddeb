#include <algorithm>

#include "operator_models.hpp"

namespace jouletree::test {
namespace {

using enum DataType;

OperatorModel& fused_attention(OperatorModels& models, std::string_view variant) {
  return models.microsoft("Attention", variant).input({2, 5, 16}).input({16, 48}).input({48});
}

void add_fused_attention(OperatorModels& models) {
  fused_attention(models, "").output().node().integer("num_heads", 4);
  fused_attention(models, "causal")
      .output()
      .node()
      .integer("num_heads", 4)
      .integer("unidirectional", 1);
  fused_attention(models, "mask of lengths")
      .input({2}, Int32, {5, 4})
      .output()
      .node()
      .integer("num_heads", 4);
  fused_attention(models, "mask of positions")
      .input({2, 5}, Int32, {1})
      .output()
      .node()
      .integer("num_heads", 4);
  fused_attention(models, "past")
      .absent_input()
      .input({2, 2, 4, 3, 4})
      .output()
      .output()
      .node()
      .integer("num_heads", 4);
  fused_attention(models, "bias on scores")
      .absent_input()
      .absent_input()
      .input({2, 4, 5, 5})
      .output()
      .node()
      .integer("num_heads", 4);
  fused_attention(models, "present without past").output().output().node().integer("num_heads", 4);
  models.microsoft("Attention", "wide values")
      .input({2, 5, 16})
      .input({16, 64})
      .input({64})
      .output()
      .node()
      .integer("num_heads", 4)
      .ints("qkv_hidden_sizes", {16, 16, 32});
  for (const bool past : {false, true}) {
    auto& model = models.microsoft("QAttention", past ? "past" : "");
    model.input({2, 5, 16}, UInt8).constant({16, 48}, Int8, 1).input({48});
    model.input({}, Float32, {0.1}).constant({}, Float32, 1).absent_input();
    model.input({}, UInt8, {3}).constant({}, Int8, 0);
    if (past) model.input({2, 2, 4, 3, 4});
    if (past) model.output();
    model.output().node().integer("num_heads", 4);
  }
}

void add_multi_head_attention(OperatorModels& models) {
  models.microsoft("MultiHeadAttention")
      .input({2, 5, 16})
      .input({2, 7, 16})
      .input({2, 7, 24})
      .output()
      .node()
      .integer("num_heads", 4);
  models.microsoft("MultiHeadAttention", "bias, padding, bias on scores")
      .input({2, 5, 16})
      .input({2, 7, 16})
      .input({2, 7, 16})
      .input({48})
      .input({2, 7}, Int32, {1})
      .input({1, 4, 5, 7})
      .output()
      .node()
      .integer("num_heads", 4);
  models.microsoft("MultiHeadAttention", "past")
      .input({2, 1, 16})
      .input({2, 1, 16})
      .input({2, 1, 16})
      .absent_input()
      .absent_input()
      .absent_input()
      .input({2, 4, 6, 4})
      .input({2, 4, 6, 4})
      .output()
      .output()
      .output()
      .node()
      .integer("num_heads", 4);
  models.microsoft("MultiHeadAttention", "keys of another sequence by heads")
      .input({2, 5, 16})
      .input({2, 4, 7, 4})
      .input({2, 4, 7, 4})
      .output()
      .node()
      .integer("num_heads", 4);
  models.microsoft("MultiHeadAttention", "scores")
      .input({2, 5, 16})
      .input({2, 7, 16})
      .input({2, 7, 16})
      .output()
      .output()
      .output()
      .output()
      .node()
      .integer("num_heads", 4);
}

void add_decoder_attention(OperatorModels& models) {
  auto& shared = models.microsoft("DecoderMaskedMultiHeadAttention", "shared buffer");
  shared.input({2, 1, 16}).input({2, 1, 16}).input({2, 1, 16}).absent_input().absent_input();
  shared.input({2, 4, 8, 4}).input({2, 4, 8, 4}).input({1}, Int32, {3});
  shared.input({1}, Int32, {1}).input({2, 1, 8}, Int32, {0});
  shared.output().output().output();
  shared.node().integer("num_heads", 4).integer("past_present_share_buffer", 1);
  auto& cross = models.microsoft("DecoderMaskedMultiHeadAttention", "keys of another sequence");
  cross.input({2, 1, 16}).input({2, 4, 7, 4}).input({2, 4, 7, 4}).output();
  cross.node().integer("num_heads", 4);
}

model::OnnxNode& grouped(OperatorModel& model, Dim past, Dim tokens, bool rotary) {
  const double total = static_cast<double>(std::min(past, Dim{4}) + tokens);
  model.input({1, 2, past, 16}).input({1, 2, past, 16});
  model.input({1}, Int32, {total - 1}).input({1}, Int32, {total});
  if (rotary) model.input({32, 8}).input({32, 8});
  return model.output()
      .output()
      .output()
      .node()
      .integer("num_heads", 4)
      .integer("kv_num_heads", 2)
      .integer("do_rotary", rotary ? 1 : 0);
}

OperatorModel& group_query(OperatorModels& models, std::string_view variant, Dim tokens) {
  return models.microsoft("GroupQueryAttention", variant)
      .input({1, tokens, 64})
      .input({1, tokens, 32})
      .input({1, tokens, 32});
}

void add_group_query_attention(OperatorModels& models) {
  grouped(group_query(models, "prompt", 6), 0, 6, false);
  grouped(group_query(models, "token", 1), 4, 1, false);
  grouped(group_query(models, "buffer longer than past", 1), 16, 1, true);
  grouped(group_query(models, "rotated prompt", 6), 0, 6, true);
  grouped(group_query(models, "window", 6), 0, 6, false).integer("local_window_size", 3);
  grouped(models.microsoft("GroupQueryAttention", "packed")
              .input({1, 6, 128})
              .absent_input()
              .absent_input(),
          0, 6, true);
  auto& first = group_query(models, "no past", 6).absent_input().absent_input();
  first.input({1}, Int32, {5}).input({1}, Int32, {6}).output().output().output();
  first.node().integer("num_heads", 4).integer("kv_num_heads", 2);
}

void add_standard_attention(OperatorModels& models) {
  models.standard("Attention", 23, "4-D")
      .input({2, 4, 5, 8})
      .input({2, 4, 7, 8})
      .input({2, 4, 7, 6})
      .output()
      .node();
  models.standard("Attention", 23, "3-D, grouped")
      .input({2, 5, 32})
      .input({2, 7, 16})
      .input({2, 7, 12})
      .output()
      .node()
      .integer("q_num_heads", 4)
      .integer("kv_num_heads", 2);
  models.standard("Attention", 23, "4-D, grouped, causal, mask")
      .input({2, 4, 5, 8})
      .input({2, 2, 7, 8})
      .input({2, 2, 7, 8})
      .input({5, 7})
      .output()
      .node()
      .integer("is_causal", 1);
  models.standard("Attention", 24, "lengths of the keys")
      .input({2, 4, 5, 8})
      .input({2, 4, 7, 8})
      .input({2, 4, 7, 6})
      .absent_input()
      .absent_input()
      .absent_input()
      .input({2}, Int64, {7, 5})
      .output()
      .node();
}

void add_standard_attention_with_past(OperatorModels& models) {
  for (const int mode : {0, 1, 2, 3}) {
    models.standard("Attention", 23, "past, scores " + std::to_string(mode))
        .input({2, 4, 5, 8})
        .input({2, 4, 7, 8})
        .input({2, 4, 7, 6})
        .absent_input()
        .input({2, 4, 3, 8})
        .input({2, 4, 3, 6})
        .output()
        .output()
        .output()
        .output()
        .node()
        .integer("qk_matmul_output_mode", mode);
  }
  models.standard("Attention", 23, "3-D, past")
      .input({2, 1, 32})
      .input({2, 1, 16})
      .input({2, 1, 16})
      .absent_input()
      .input({2, 2, 3, 8})
      .input({2, 2, 3, 8})
      .output()
      .output()
      .output()
      .node()
      .integer("q_num_heads", 4)
      .integer("kv_num_heads", 2);
}

void add_rotations(OperatorModels& models) {
  models.standard("RotaryEmbedding", 23, "4-D, positions")
      .input({2, 4, 5, 8})
      .input({16, 4})
      .input({16, 4})
      .input({2, 5}, Int64)
      .output()
      .node();
  models.standard("RotaryEmbedding", 23, "3-D")
      .input({2, 5, 32})
      .input({2, 5, 4})
      .input({2, 5, 4})
      .output()
      .node()
      .integer("num_heads", 4)
      .integer("interleaved", 1);
  models.standard("RotaryEmbedding", 23, "part of a head")
      .input({2, 4, 5, 8})
      .input({2, 5, 2})
      .input({2, 5, 2})
      .output()
      .node()
      .integer("rotary_embedding_dim", 4);
  models.microsoft("RotaryEmbedding", "3-D")
      .input({2, 5, 32})
      .input({1}, Int64, {0})
      .input({16, 4})
      .input({16, 4})
      .output()
      .node();
  models.microsoft("RotaryEmbedding", "4-D, positions")
      .input({2, 4, 5, 8})
      .input({2, 5}, Int64)
      .input({16, 4})
      .input({16, 4})
      .output()
      .node()
      .integer("interleaved", 1);
  models.microsoft("MRotaryEmbedding")
      .input({2, 5, 32})
      .input({3, 2, 5}, Int64)
      .input({16, 4})
      .input({16, 4})
      .output()
      .node()
      .integer("num_heads", 4)
      .ints("mrope_section", {2, 1, 1});
  models.standard("TensorScatter", 24)
      .input({2, 4, 8, 6})
      .input({2, 4, 1, 6})
      .input({2}, Int64, {1, 2})
      .output()
      .node();
}

void add_states(OperatorModels& models) {
  models.microsoft("LinearAttention", "delta rule with gate")
      .input({2, 5, 16})
      .input({2, 5, 16})
      .input({2, 5, 24})
      .input({2, 4, 4, 6})
      .input({2, 5, 4}, Float32, {-0.5})
      .input({2, 5, 4}, Float32, {0.5})
      .output()
      .output()
      .node()
      .integer("q_num_heads", 4)
      .integer("kv_num_heads", 4);
  models.microsoft("LinearAttention", "linear")
      .input({2, 5, 16})
      .input({2, 5, 16})
      .input({2, 5, 24})
      .output()
      .output()
      .node()
      .integer("q_num_heads", 4)
      .integer("kv_num_heads", 4)
      .text("update_rule", "linear");
  models.microsoft("CausalConvWithState", "past")
      .input({2, 6, 5})
      .input({6, 1, 4})
      .input({6})
      .input({2, 6, 3})
      .output()
      .output()
      .node();
  models.microsoft("CausalConvWithState", "no past")
      .input({2, 6, 5})
      .input({6, 1, 4})
      .output()
      .output()
      .node();
}

}  // namespace

void add_attention_models(OperatorModels& models) {
  add_fused_attention(models);
  add_multi_head_attention(models);
  add_decoder_attention(models);
  add_group_query_attention(models);
  add_standard_attention(models);
  add_standard_attention_with_past(models);
  add_rotations(models);
  add_states(models);
}

}  // namespace jouletree::test
