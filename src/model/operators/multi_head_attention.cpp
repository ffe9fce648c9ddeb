#include <optional>

#include <fmt/format.h>

#include "model/operators/attention_math.hpp"
#include "model/operators/attention_rules.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// Where an operator of this kind has its optional inputs.
struct Positions {
  std::size_t bias;
  std::size_t mask;
  std::size_t score_bias;
  std::size_t past_key;
  std::size_t past_length;
};
constexpr Positions kPlainPositions = {3, 4, 5, 6, 8};
constexpr Positions kDecoderPositions = {10, 3, 4, 5, 7};

struct MultiHead {
  AttentionSizes sizes;
  Count new_keys = Count::unknown();
  bool shares_buffer = false;  ///< Past and present keys are one buffer with room for more.
};

/// Queries alone are batch x length x width; together with keys and values their last dimension is
/// three times as wide, or split into heads x 3 x head size.
void read_queries(const Call& call, const Dims& query, MultiHead& result) {
  AttentionSizes& sizes = result.sizes;
  const std::int64_t heads = positive_attribute(call, "num_heads");
  sizes.heads = heads;
  sizes.kv_heads = heads;
  sizes.batch = count_of(query[0]);
  sizes.queries = count_of(query[1]);
  if (query.size() == 5) {
    sizes.head_size = count_of(query[4]);
  } else if (call.has_input(1)) {
    sizes.head_size = equal_part(call, count_of(query[2]), heads, "query");
  } else {
    const Count width = equal_part(call, count_of(query[2]), 3, "query");
    sizes.head_size = equal_part(call, width, heads, "query");
  }
  sizes.value_head_size = sizes.head_size;
  result.new_keys = sizes.queries;
}

/// Keys are batch x length x width, batch x heads x length x head size, or packed with the values
/// as batch x length x heads x 2 x head size.
void read_keys_and_values(const Call& call, MultiHead& result) {
  if (call.has_input(1)) {
    const Dims* key = call.dims(1);
    if (key != nullptr && (key->size() < 3 || key->size() > 5))
      call.fail(fmt::format("its keys cannot have the shape {}", to_string(*key)));
    result.new_keys =
        key == nullptr ? Count::unknown() : count_of((*key)[key->size() == 4 ? 2 : 1]);
  }
  if (call.has_input(2)) {
    const Dims* value = ranked(call, 2, 3, 4);
    Count& head_size = result.sizes.value_head_size;
    if (value == nullptr) {
      head_size = Count::unknown();
    } else if (value->size() == 4) {
      head_size = count_of((*value)[3]);
    } else {
      head_size = equal_part(call, count_of((*value)[2]), result.sizes.heads.value(), "value");
    }
  }
}

/// Nothing where the shape of the queries is unknown.
std::optional<MultiHead> multi_head(const Call& call, const Positions& positions) {
  const Dims* query = ranked(call, 0, 3, 5);
  if (query == nullptr) return std::nullopt;
  MultiHead result;
  read_queries(call, *query, result);
  read_keys_and_values(call, result);
  Count past = 0;
  if (call.has_input(positions.past_key)) {
    result.shares_buffer = call.attribute("past_present_share_buffer", std::int64_t{0}) != 0 ||
                           call.has_input(positions.past_length);
    const Dims* cached = ranked(call, positions.past_key, 4);
    past = cached == nullptr ? Count::unknown() : count_of((*cached)[2]);
    if (result.shares_buffer) past = length_input(call, positions.past_length);
  }
  result.sizes.keys = past + result.new_keys;
  return result;
}

void set_outputs(Call& call, const Positions& positions) {
  const auto attention = multi_head(call, positions);
  const DataType type = call.type(0);
  if (!attention) {
    for (std::size_t i = 0; i < call.output_count(); ++i) call.set_unknown(i, type);
    return;
  }
  const AttentionSizes& sizes = attention->sizes;
  const Dim batch = dim_of(sizes.batch);
  const Dim heads = dim_of(sizes.heads);
  const Dim keys = dim_of(sizes.keys);
  call.set(0, type, {batch, dim_of(sizes.queries), dim_of(sizes.heads * sizes.value_head_size)});
  if (attention->shares_buffer) {
    call.set(1, call.input(positions.past_key));
    call.set(2, call.input(positions.past_key + 1));
  } else {
    call.set(1, type, {batch, heads, keys, dim_of(sizes.head_size)});
    call.set(2, type, {batch, heads, keys, dim_of(sizes.value_head_size)});
  }
  call.set(3, type, {batch, heads, dim_of(sizes.queries), keys});
}

OperatorWork work(const Call& call, const Positions& positions) {
  const auto attention = multi_head(call, positions);
  if (!attention) return {Count::unknown(), Count::unknown()};
  const AttentionSizes& sizes = attention->sizes;
  Count bias = 0;
  if (call.has_input(positions.bias)) {
    bias = sizes.batch * sizes.heads *
           (sizes.queries * sizes.head_size +
            attention->new_keys * (sizes.head_size + sizes.value_head_size));
  }
  const bool biased = call.has_input(positions.mask) || call.has_input(positions.score_bias);
  return attention_work(sizes, sizes.scores(), {.biased = biased}, 0, bias);
}

}  // namespace

void multi_head_attention(Call& call) { set_outputs(call, kPlainPositions); }
OperatorWork multi_head_attention_work(const Call& call) { return work(call, kPlainPositions); }

void decoder_multi_head_attention(Call& call) { set_outputs(call, kDecoderPositions); }
OperatorWork decoder_multi_head_attention_work(const Call& call) {
  return work(call, kDecoderPositions);
}

void packed_multi_head_attention(Call& call) {
  const Dims* query = ranked(call, 0, 2, 4);
  if (query == nullptr) return call.set(0, call.type(0), {kUnknownDim, kUnknownDim});
  Dim width =
      query->size() == 2 ? (*query)[1] : dim_of(count_of((*query)[1]) * count_of((*query)[3]));
  if (call.has_input(2)) {
    (void)ranked(call, 2, 2);
    width = dim_at(call, 2, -1);
  }
  call.set(0, call.type(0), {(*query)[0], width});
}

OperatorWork packed_multi_head_attention_work(const Call& call) {
  const std::int64_t heads = positive_attribute(call, "num_heads");
  const Dims* query = ranked(call, 0, 2, 4);
  const Dims* output = call.output_dims(0);
  if (query == nullptr || output == nullptr) return {Count::unknown(), Count::unknown()};
  AttentionSizes sizes;
  sizes.heads = heads;
  sizes.head_size = query->size() == 4 ? count_of((*query)[3])
                                       : equal_part(call, count_of((*query)[1]), heads, "query");
  sizes.value_head_size = equal_part(call, count_of(output->back()), heads, "value");
  const Count bias =
      call.has_input(3) ? count_of((*query)[0]) * call.input(3).elements() : Count(0);
  return attention_work(sizes, sizes.heads * packed_pairs(call, 5, 4),
                        {.biased = call.has_input(6)}, 0, bias);
}

}  // namespace jouletree::model
