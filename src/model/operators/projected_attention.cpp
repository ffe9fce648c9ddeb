#include <algorithm>
#include <optional>

#include "model/operators/attention_math.hpp"
#include "model/operators/attention_rules.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// Widths of queries, keys and values of all heads together.
struct Widths {
  Count query = Count::unknown();
  Count key = Count::unknown();
  Count value = Count::unknown();

  [[nodiscard]] Count total() const { return query + key + value; }
};

/// Weights at position 1 and biases at 2 stand side by side for queries, keys and values.
Widths merged_widths(const Call& call) {
  const auto given = call.attribute_integers("qkv_hidden_sizes");
  if (given && !given->empty()) {
    if (given->size() != 3 ||
        std::any_of(given->begin(), given->end(), [](std::int64_t width) { return width < 0; }))
      call.fail("its attribute 'qkv_hidden_sizes' should have three sizes");
    return {(*given)[0], (*given)[1], (*given)[2]};
  }
  const Dims* weights = ranked(call, 1, 2);
  const Dims* bias = ranked(call, 2, 1);
  Count all = Count::unknown();
  if (bias != nullptr) all = count_of((*bias)[0]);
  if (weights != nullptr) all = count_of((*weights)[1]);
  const Count width = equal_part(call, all, 3, "projection");
  return {width, width, width};
}

AttentionSizes sizes_of(const Call& call, const Widths& widths) {
  const std::int64_t heads = positive_attribute(call, "num_heads");
  AttentionSizes sizes;
  sizes.heads = heads;
  sizes.kv_heads = heads;
  sizes.head_size = equal_part(call, widths.key, heads, "key");
  sizes.value_head_size = equal_part(call, widths.value, heads, "value");
  return sizes;
}

/// An attention that may continue from past keys and values of shape 2 x batch x heads x length x
/// head size.
struct Projected {
  Widths widths;
  AttentionSizes sizes;
  bool shares_buffer = false;
  bool has_bias = true;
};

Projected projected(const Call& call, std::size_t past, std::size_t past_length) {
  Projected result;
  result.widths = merged_widths(call);
  result.has_bias = call.has_input(2);
  AttentionSizes& sizes = result.sizes = sizes_of(call, result.widths);
  if (const Dims* input = ranked(call, 0, 3)) {
    sizes.batch = count_of((*input)[0]);
    sizes.queries = count_of((*input)[1]);
  }
  sizes.keys = sizes.queries;
  if (!call.has_input(past)) return result;
  result.shares_buffer = call.attribute("past_present_share_buffer", std::int64_t{0}) != 0;
  const Dims* cached = ranked(call, past, 5);
  Count length = cached == nullptr ? Count::unknown() : count_of((*cached)[3]);
  if (result.shares_buffer) length = length_input(call, past_length);
  sizes.keys = sizes.keys + length;
  return result;
}

constexpr std::size_t kPast = 4;
constexpr std::size_t kPastLength = 6;
constexpr std::size_t kQuantizedPast = 8;
constexpr std::size_t kNoInput = 32;

void set_projected(Call& call, DataType type, std::size_t past, std::size_t past_length) {
  const Projected attention = projected(call, past, past_length);
  const AttentionSizes& sizes = attention.sizes;
  call.set(0, type, {dim_of(sizes.batch), dim_of(sizes.queries), dim_of(attention.widths.value)});
  if (attention.shares_buffer) return call.set(1, call.input(past));
  call.set(
      1, type,
      {2, dim_of(sizes.batch), dim_of(sizes.heads), dim_of(sizes.keys), dim_of(sizes.head_size)});
}

OperatorWork work_of(const Call& call, const Projected& attention, bool biased, Count others) {
  const AttentionSizes& sizes = attention.sizes;
  const Count tokens = sizes.batch * sizes.queries;
  const Count projected_elements = tokens * attention.widths.total();
  const Count input_width = count_of(dim_at(call, 0, -1));
  const Count bias = attention.has_bias ? projected_elements : Count(0);
  const bool rotates = call.attribute("do_rotary", std::int64_t{0}) != 0;
  const Count rotated =
      rotates ? tokens * (attention.widths.query + attention.widths.key) : Count(0);
  return attention_work(sizes, sizes.scores(), {.biased = biased}, projected_elements * input_width,
                        bias + rotated * Count(kRotaryFlops) + others);
}

}  // namespace

void projected_attention(Call& call) { set_projected(call, call.type(0), kPast, kPastLength); }

OperatorWork projected_attention_work(const Call& call) {
  return work_of(call, projected(call, kPast, kPastLength), call.has_input(3) || call.has_input(5),
                 0);
}

void quantized_attention(Call& call) {
  set_projected(call, call.type(2), kQuantizedPast, kNoInput);
}

OperatorWork quantized_attention_work(const Call& call) {
  const Projected attention = projected(call, kQuantizedPast, kNoInput);
  const Count scaled = attention.sizes.batch * attention.sizes.queries * attention.widths.total();
  return work_of(call, attention, call.has_input(5), scaled);
}

void packed_attention(Call& call) {
  const Widths widths = merged_widths(call);
  (void)sizes_of(call, widths);
  const Dims* input = ranked(call, 0, 2);
  call.set(0, call.type(0), {input == nullptr ? kUnknownDim : (*input)[0], dim_of(widths.value)});
}

OperatorWork packed_attention_work(const Call& call) {
  const Widths widths = merged_widths(call);
  const AttentionSizes sizes = sizes_of(call, widths);
  const Count projected_elements = count_of(dim_at(call, 0, 0)) * widths.total();
  return attention_work(sizes, sizes.heads * packed_pairs(call, 4, 3),
                        {.biased = call.has_input(5)},
                        projected_elements * count_of(dim_at(call, 0, -1)), projected_elements);
}

void ordered_attention(Call& call) {
  const Dims* input = ranked(call, 0, 3);
  Dims result = input == nullptr ? Dims(3, kUnknownDim) : *input;
  (void)ranked(call, 7, 2);
  result[2] = dim_at(call, 7, -1);
  call.set(0, call.type(0), std::move(result));
}

OperatorWork ordered_attention_work(const Call& call) {
  Projected attention;
  attention.widths = {count_of(dim_at(call, 5, -1)), count_of(dim_at(call, 6, -1)),
                      count_of(dim_at(call, 7, -1))};
  AttentionSizes& sizes = attention.sizes = sizes_of(call, attention.widths);
  sizes.batch = count_of(dim_at(call, 0, 0));
  sizes.queries = count_of(dim_at(call, 0, 1));
  sizes.keys = sizes.queries;
  const Count requantized =
      sizes.batch * sizes.queries * (attention.widths.total() + attention.widths.value);
  return work_of(call, attention, call.has_input(17),
                 requantized * Count(kQuantizeFlops) + sizes.scores() * Count(kQuantizeFlops));
}

}  // namespace jouletree::model
