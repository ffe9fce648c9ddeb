#include <optional>

#include <fmt/format.h>

#include "model/operators/attention_math.hpp"
#include "model/operators/attention_rules.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// Queries, keys and values of shape batch x heads x length x head size.
void read_four_dims(const Dims& query, const Dims& key, const Dims& value, AttentionSizes& sizes) {
  sizes.heads = count_of(query[1]);
  sizes.queries = count_of(query[2]);
  sizes.head_size = count_of(query[3]);
  sizes.kv_heads = count_of(key[1]);
  sizes.keys = count_of(key[2]);
  sizes.value_head_size = count_of(value[3]);
}

/// The same of shape batch x length x width, all heads side by side.
void read_three_dims(const Call& call, const Dims& query, const Dims& key, const Dims& value,
                     AttentionSizes& sizes) {
  const std::int64_t heads = positive_attribute(call, "q_num_heads");
  const std::int64_t kv_heads = positive_attribute(call, "kv_num_heads");
  sizes.heads = heads;
  sizes.kv_heads = kv_heads;
  sizes.queries = count_of(query[1]);
  sizes.keys = count_of(key[1]);
  sizes.head_size = equal_part(call, count_of(query[2]), heads, "query");
  sizes.value_head_size = equal_part(call, count_of(value[2]), kv_heads, "value");
}

/// Nothing where a rank is unknown.
std::optional<AttentionSizes> sizes_of(const Call& call) {
  for (std::size_t i = 0; i < 3; ++i)
    if (ranked(call, i, 3, 4) == nullptr) return std::nullopt;
  const Dims& query = *call.dims(0);
  const Dims& key = *call.dims(1);
  const Dims& value = *call.dims(2);
  if (key.size() != query.size() || value.size() != query.size())
    call.fail("its queries, keys and values have different numbers of dimensions");
  AttentionSizes sizes;
  sizes.batch = count_of(query[0]);
  if (query.size() == 4) {
    read_four_dims(query, key, value, sizes);
  } else {
    read_three_dims(call, query, key, value, sizes);
  }
  if (call.has_input(4)) {
    const Dims* past = ranked(call, 4, 4);
    sizes.keys = sizes.keys + (past == nullptr ? Count::unknown() : count_of((*past)[2]));
  }
  return sizes;
}

void attention(Call& call) {
  const auto sizes = sizes_of(call);
  if (!sizes) {
    for (std::size_t i = 0; i < call.output_count(); ++i)
      call.set_unknown(i, call.type(i == 3 ? 0 : i));
    return;
  }
  const Dim batch = dim_of(sizes->batch);
  const Dim queries = dim_of(sizes->queries);
  const Dim keys = dim_of(sizes->keys);
  const Dim kv_heads = dim_of(sizes->kv_heads);
  if (call.dims(0)->size() == 4) {
    call.set(0, call.type(0),
             {batch, dim_of(sizes->heads), queries, dim_of(sizes->value_head_size)});
  } else {
    call.set(0, call.type(0), {batch, queries, dim_of(sizes->heads * sizes->value_head_size)});
  }
  call.set(1, call.type(1), {batch, kv_heads, keys, dim_of(sizes->head_size)});
  call.set(2, call.type(2), {batch, kv_heads, keys, dim_of(sizes->value_head_size)});
  call.set(3, call.type(0), {batch, dim_of(sizes->heads), queries, keys});
}

OperatorWork standard_attention_work(const Call& call) {
  const auto sizes = sizes_of(call);
  if (!sizes) return {Count::unknown(), Count::unknown()};
  return attention_work(
      *sizes, sizes->scores(),
      {.biased = call.has_input(3), .capped = call.attribute("softcap", 0.0) != 0.0});
}

void remove_padding(Call& call) {
  const Dims* input = ranked(call, 0, 3);
  const Dim batch = input == nullptr ? kUnknownDim : (*input)[0];
  Count tokens = Count::unknown();
  if (const auto lengths = call.integers(1)) {
    tokens = 0;
    for (const std::int64_t length : *lengths) tokens += length;
  }
  call.set(0, call.type(0), {dim_of(tokens), input == nullptr ? kUnknownDim : (*input)[2]});
  call.set(1, DataType::Int32, {batch, input == nullptr ? kUnknownDim : (*input)[1]});
  call.set(2, DataType::Int32, {dim_of(count_of(batch) + Count(1))});
  call.set(3, DataType::Int32, {1});
}

void restore_padding(Call& call) {
  const Dims* input = ranked(call, 0, 2);
  const Dims* padded = ranked(call, 1, 2);
  call.set(0, call.type(0),
           {padded == nullptr ? kUnknownDim : (*padded)[0],
            padded == nullptr ? kUnknownDim : (*padded)[1],
            input == nullptr ? kUnknownDim : (*input)[1]});
}

constexpr ConstantRoles kProjected = {.weights = slots(1, 2), .settings = slots(3)};
constexpr ConstantRoles kStandard = {.settings = slots(3, 6)};
constexpr ConstantRoles kRotary = {.settings = slots(1, 2, 3)};
constexpr ConstantRoles kScatter = {.settings = slots(2)};
constexpr ConstantRoles kQuantized = {.weights = slots(1, 2), .settings = slots(3, 4, 5, 6, 7)};
constexpr ConstantRoles kPackedAttention = {.weights = slots(1, 2), .settings = slots(3, 4)};
constexpr ConstantRoles kOrderedAttention = {
    .weights = slots(5, 6, 7, 11, 12, 13), .settings = slots(1, 2, 3, 4, 8, 9, 10, 14, 15, 16, 17)};
constexpr ConstantRoles kDecoder = {.weights = slots(2, 3, 4), .settings = slots(5, 8, 9, 10, 11)};
constexpr ConstantRoles kWindow = {.weights = slots(1, 2, 4, 5), .settings = slots(3, 6)};
constexpr ConstantRoles kOrderedWindow = {.weights = slots(2, 4, 8, 10),
                                          .settings = slots(1, 3, 5, 6, 7, 9, 11, 12, 13)};
constexpr ConstantRoles kMultiHead = {.weights = slots(3), .settings = slots(4, 8)};
constexpr ConstantRoles kDecoderMultiHead = {.weights = slots(10), .settings = slots(3, 7, 8, 9)};
constexpr ConstantRoles kPackedMultiHead = {.weights = slots(3), .settings = slots(4, 5)};
constexpr ConstantRoles kGroupQuery = {.weights = slots(11, 14, 15),
                                       .settings = slots(5, 6, 7, 8, 9, 12, 13)};
constexpr ConstantRoles kSparse = {.settings = slots(5, 6, 7, 8, 9, 10)};
constexpr ConstantRoles kPaged = {.weights = slots(11, 12, 13),
                                  .settings = slots(5, 6, 7, 8, 9, 10, 14, 15, 16)};
constexpr ConstantRoles kPositionBias = {.weights = slots(0), .settings = slots(1, 2)};
constexpr ConstantRoles kGatedPositionBias = {.weights = slots(1, 3, 4, 5), .settings = slots(6)};
constexpr ConstantRoles kPadding = {.settings = slots(1)};

constexpr Lookup kAngles[] = {{.indices = 3, .table = 1}, {.indices = 3, .table = 2}};
constexpr OperatorFacts kPicksAngles = {.lookups = kAngles};
constexpr OperatorFacts kAttends = {.work = WorkKind::Attention};
constexpr OperatorFacts kAttendsNarrowly = {.work = WorkKind::Attention, .narrow = true};

constexpr OperatorRow kAttentionRows[] = {
    {kOnnx, "Attention", attention, standard_attention_work, kStandard, kAttends},
    {kOnnx, "RotaryEmbedding", same_shape, rotary_work, kRotary, kPicksAngles},
    {kOnnx, "TensorScatter", same_shape, only_moves, kScatter, kInPlace},

    {kMicrosoft, "Attention", projected_attention, projected_attention_work, kProjected, kAttends},
    {kMicrosoft, "DecoderMaskedSelfAttention", projected_attention, projected_attention_work,
     kProjected, kAttends},
    {kMicrosoft, "QAttention", quantized_attention, quantized_attention_work, kQuantized,
     kAttendsNarrowly},
    {kMicrosoft, "PackedAttention", packed_attention, packed_attention_work, kPackedAttention,
     kAttends},
    {kMicrosoft, "QOrderedAttention", ordered_attention, ordered_attention_work, kOrderedAttention,
     kAttendsNarrowly},
    {kMicrosoft, "DecoderAttention", decoder_attention, decoder_attention_work, kDecoder, kAttends},
    {kMicrosoft, "LongformerAttention", window_attention, window_attention_work, kWindow, kAttends},
    {kMicrosoft, "QOrderedLongformerAttention", window_attention, ordered_window_attention_work,
     kOrderedWindow, kAttendsNarrowly},

    {kMicrosoft, "MultiHeadAttention", multi_head_attention, multi_head_attention_work, kMultiHead,
     kAttends},
    {kMicrosoft, "DecoderMaskedMultiHeadAttention", decoder_multi_head_attention,
     decoder_multi_head_attention_work, kDecoderMultiHead, kAttends},
    {kMicrosoft, "PackedMultiHeadAttention", packed_multi_head_attention,
     packed_multi_head_attention_work, kPackedMultiHead, kAttends},

    {kMicrosoft, "GroupQueryAttention", group_query_attention, group_query_attention_work,
     kGroupQuery, kAttends},
    {kMicrosoft, "SparseAttention", sparse_attention, sparse_attention_work, kSparse, kAttends},
    {kMicrosoft, "PagedAttention", paged_attention, paged_attention_work, kPaged, kAttends},
    {kMicrosoft, "LinearAttention", linear_attention, linear_attention_work, {}, kAttends},

    {kMicrosoft, "RotaryEmbedding", same_shape, microsoft_rotary_work, kRotary},
    {kMicrosoft, "MRotaryEmbedding", same_shape, microsoft_rotary_work, kRotary},
    {kMicrosoft, "GemmaRotaryEmbedding", gemma_rotary, gemma_rotary_work},
    {kMicrosoft, "RelativePositionBias", position_bias, position_bias_work, kPositionBias},
    {kMicrosoft, "GatedRelativePositionBias", gated_position_bias, gated_position_bias_work,
     kGatedPositionBias, kWeightedProducts},
    {kMicrosoft, "RemovePadding", remove_padding, only_moves, kPadding},
    {kMicrosoft, "RestorePadding", restore_padding, only_moves, kPadding},
};

}  // namespace

std::span<const OperatorRow> attention_rows() { return kAttentionRows; }

}  // namespace jouletree::model
