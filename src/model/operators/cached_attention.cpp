#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "model/operators/attention_math.hpp"
#include "model/operators/attention_rules.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// Square, sum, and two multiplications normalise an element.
constexpr std::int64_t kHeadNormFlops = 4;

/// Heads and their sizes. Without an input for keys, the last dimension of the queries holds
/// queries, keys and values one behind the other.
void read_heads(const Call& call, Count width, AttentionSizes& sizes) {
  const std::int64_t heads = positive_attribute(call, "num_heads");
  const std::int64_t kv_heads = positive_attribute(call, "kv_num_heads");
  sizes.heads = heads;
  sizes.kv_heads = kv_heads;
  const Count packed = Count(heads) + Count(kv_heads) * Count(2);
  sizes.head_size = equal_part(call, width, call.has_input(1) ? heads : packed.value(), "query");
  sizes.value_head_size = sizes.head_size;
}

/// Queries of shape batch x length x width, and as many new keys.
AttentionSizes read_queries(const Call& call) {
  const Dims* query = ranked(call, 0, 3);
  AttentionSizes sizes;
  read_heads(call, query == nullptr ? Count::unknown() : count_of((*query)[2]), sizes);
  if (query != nullptr) {
    sizes.batch = count_of((*query)[0]);
    sizes.queries = count_of((*query)[1]);
  }
  return sizes;
}

Count new_keys(const Call& call, const AttentionSizes& sizes) {
  if (!call.has_input(1)) return sizes.queries;
  const Dims* key = ranked(call, 1, 3);
  return key == nullptr ? Count::unknown() : count_of((*key)[1]);
}

void set_queries_output(Call& call, const AttentionSizes& sizes) {
  call.set(
      0, call.type(0),
      {dim_of(sizes.batch), dim_of(sizes.queries), dim_of(sizes.heads * sizes.value_head_size)});
}

constexpr std::size_t kPastKey = 3;
constexpr std::size_t kTotalLength = 6;
constexpr std::size_t kSparseTotalLength = 7;

AttentionSizes group_query_sizes(const Call& call) {
  AttentionSizes sizes = read_queries(call);
  // Without a past there is nothing but the new keys.
  sizes.keys = call.has_input(kPastKey) ? length_input(call, kTotalLength) : new_keys(call, sizes);
  return sizes;
}

/// The buffer of the past may have room for the new keys; if not, the present one is longer.
ValueType present_cache(const Call& call, std::size_t past, const AttentionSizes& sizes) {
  ValueType type = call.input(past);
  if (!call.has_input(past)) {
    type.type = call.type(0);
    type.dims = Dims{dim_of(sizes.batch), dim_of(sizes.kv_heads), dim_of(sizes.keys),
                     dim_of(sizes.head_size)};
    return type;
  }
  const Dims* cached = ranked(call, past, 4);
  const bool slides = call.attribute("sliding_window_cache", std::int64_t{0}) != 0;
  if (cached == nullptr || slides) return type;
  const Dim room = (*cached)[2];
  const bool known = room != kUnknownDim && sizes.keys.known();
  (*type.dims)[2] = known ? std::max(room, sizes.keys.value()) : kUnknownDim;
  return type;
}

Count rotary_flops(const Call& call, const AttentionSizes& sizes, Count keys, std::size_t cosines) {
  if (call.attribute("do_rotary", std::int64_t{0}) == 0) return 0;
  const Dims* table = ranked(call, cosines, 2);
  const Count turned = table == nullptr ? sizes.head_size : count_of((*table)[1]) * Count(2);
  const Count vectors = sizes.heads * sizes.queries + sizes.kv_heads * keys;
  return sizes.batch * vectors * turned * Count(kRotaryFlops);
}

/// Scores that a block-sparse mask in compressed rows lets the last `queries` of `keys` tokens
/// compute; heads take the layouts of the mask in turn.
Count sparse_scores(const Call& call, const AttentionSizes& sizes) {
  const std::int64_t block = positive_attribute(call, "sparse_block_size");
  if (block > kMaxElements) call.fail(fmt::format("its blocks cannot have {} tokens", block));
  const Dims* shape = ranked(call, 5, 2);
  const auto rows = call.integers(5);
  if (shape == nullptr || !rows || !sizes.keys.known() || !sizes.queries.known())
    return Count::unknown();
  const std::int64_t layouts = (*shape)[0];
  const std::int64_t row_ends = (*shape)[1];
  const std::int64_t last = sizes.keys.value();
  const std::int64_t first = last - std::min(last, sizes.queries.value());
  Count scores = 0;
  for (std::int64_t layout = 0; layout < layouts; ++layout) {
    for (std::int64_t row = first / block; row + 1 < row_ends && row * block < last; ++row) {
      const std::int64_t inside = std::min(last, (row + 1) * block) - std::max(first, row * block);
      const auto at = static_cast<std::size_t>(layout * row_ends + row);
      if (at + 1 >= rows->size()) return Count::unknown();
      scores += (Count((*rows)[at + 1]) - Count((*rows)[at])) * Count(block) * Count(inside);
    }
  }
  return sizes.batch * scores * sizes.heads / Count(layouts);
}

/// Queries of sequences of different lengths one behind the other: tokens x width.
AttentionSizes paged_sizes(const Call& call) {
  const Dims* query = ranked(call, 0, 2);
  AttentionSizes sizes;
  read_heads(call, query == nullptr ? Count::unknown() : count_of((*query)[1]), sizes);
  const std::int64_t narrower = call.attribute("v_head_size", std::int64_t{0});
  if (narrower > 0) sizes.value_head_size = narrower;
  return sizes;
}

}  // namespace

void group_query_attention(Call& call) {
  const AttentionSizes sizes = group_query_sizes(call);
  set_queries_output(call, sizes);
  call.set(1, present_cache(call, kPastKey, sizes));
  call.set(2, present_cache(call, kPastKey + 1, sizes));
  call.set(3, call.type(0),
           {dim_of(sizes.batch), dim_of(sizes.heads), dim_of(sizes.queries), dim_of(sizes.keys)});
}

OperatorWork group_query_attention_work(const Call& call) {
  const AttentionSizes sizes = group_query_sizes(call);
  const Count keys = new_keys(call, sizes);
  Count others = rotary_flops(call, sizes, keys, 7);
  if (call.has_input(14)) {
    others += sizes.batch * (sizes.heads * sizes.queries + sizes.kv_heads * keys) *
              sizes.head_size * Count(kHeadNormFlops);
  }
  const ScoreSteps steps = {.biased = call.has_input(10),
                            .capped = call.attribute("softcap", 0.0) != 0.0};
  return attention_work(sizes, sizes.scores(), steps, 0, others);
}

void sparse_attention(Call& call) {
  set_queries_output(call, read_queries(call));
  call.set(1, call.input(kPastKey));
  call.set(2, call.input(kPastKey + 1));
}

OperatorWork sparse_attention_work(const Call& call) {
  AttentionSizes sizes = read_queries(call);
  sizes.keys = length_input(call, kSparseTotalLength);
  return attention_work(sizes, sparse_scores(call, sizes), {}, 0,
                        rotary_flops(call, sizes, new_keys(call, sizes), 9));
}

void paged_attention(Call& call) {
  const AttentionSizes sizes = paged_sizes(call);
  const Dims* query = call.dims(0);
  call.set(
      0, call.type(0),
      {query == nullptr ? kUnknownDim : (*query)[0], dim_of(sizes.heads * sizes.value_head_size)});
  call.set(1, call.input(kPastKey));
  call.set(2, call.input(kPastKey + 1));
}

OperatorWork paged_attention_work(const Call& call) {
  AttentionSizes sizes = paged_sizes(call);
  const auto ends = call.integers(5);
  const auto past = call.integers(6);
  if (!ends || !past || ends->size() != past->size() + 1)
    return {Count::unknown(), Count::unknown()};
  Count pairs = 0;
  for (std::size_t i = 0; i < past->size(); ++i) {
    const Count length = Count((*ends)[i + 1]) - Count((*ends)[i]);
    if (length.value() < 0 || (*past)[i] < 0) call.fail("it has sequences of negative length");
    pairs += length * (length + Count((*past)[i]));
  }
  sizes.batch = 1;
  sizes.queries = count_of(dim_at(call, 0, 0));
  return attention_work(sizes, sizes.heads * pairs,
                        {.capped = call.attribute("softcap", 0.0) != 0.0}, 0,
                        rotary_flops(call, sizes, sizes.queries, 8));
}

}  // namespace jouletree::model
