#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

// Attentions that project their input to queries, keys and values themselves.
void projected_attention(Call& call);  ///< Attention, DecoderMaskedSelfAttention.
[[nodiscard]] OperatorWork projected_attention_work(const Call& call);
void quantized_attention(Call& call);  ///< QAttention.
[[nodiscard]] OperatorWork quantized_attention_work(const Call& call);
void packed_attention(Call& call);  ///< PackedAttention.
[[nodiscard]] OperatorWork packed_attention_work(const Call& call);
void ordered_attention(Call& call);  ///< QOrderedAttention.
[[nodiscard]] OperatorWork ordered_attention_work(const Call& call);
void decoder_attention(Call& call);  ///< DecoderAttention.
[[nodiscard]] OperatorWork decoder_attention_work(const Call& call);
void window_attention(Call& call);  ///< LongformerAttention, QOrderedLongformerAttention.
[[nodiscard]] OperatorWork window_attention_work(const Call& call);
[[nodiscard]] OperatorWork ordered_window_attention_work(const Call& call);

// Attentions over queries, keys and values that come projected, with as many heads of each.
void multi_head_attention(Call& call);
[[nodiscard]] OperatorWork multi_head_attention_work(const Call& call);
void decoder_multi_head_attention(Call& call);  ///< DecoderMaskedMultiHeadAttention.
[[nodiscard]] OperatorWork decoder_multi_head_attention_work(const Call& call);
void packed_multi_head_attention(Call& call);
[[nodiscard]] OperatorWork packed_multi_head_attention_work(const Call& call);

// Attentions of large language models: fewer key than query heads, and a cache of past keys.
void group_query_attention(Call& call);
[[nodiscard]] OperatorWork group_query_attention_work(const Call& call);
void sparse_attention(Call& call);
[[nodiscard]] OperatorWork sparse_attention_work(const Call& call);
void paged_attention(Call& call);
[[nodiscard]] OperatorWork paged_attention_work(const Call& call);
void linear_attention(Call& call);
[[nodiscard]] OperatorWork linear_attention_work(const Call& call);

// Positions of tokens.
[[nodiscard]] OperatorWork rotary_work(const Call& call);            ///< Standard RotaryEmbedding.
[[nodiscard]] OperatorWork microsoft_rotary_work(const Call& call);  ///< And MRotaryEmbedding.
void gemma_rotary(Call& call);
[[nodiscard]] OperatorWork gemma_rotary_work(const Call& call);
void position_bias(Call& call);  ///< RelativePositionBias.
[[nodiscard]] OperatorWork position_bias_work(const Call& call);
void gated_position_bias(Call& call);  ///< GatedRelativePositionBias.
[[nodiscard]] OperatorWork gated_position_bias_work(const Call& call);

}  // namespace jouletree::model
