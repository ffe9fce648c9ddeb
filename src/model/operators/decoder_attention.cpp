#include <algorithm>
#include <optional>

#include "model/operators/attention_math.hpp"
#include "model/operators/attention_rules.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// DecoderAttention decides by four inputs where keys and values come from.
struct KeySource {
  Count made = Count::unknown();    ///< Keys that it projects itself.
  Count cached = Count::unknown();  ///< Keys that it takes from the cache.
};

KeySource key_source(const Call& call, Count queries) {
  const auto is_static = call.integer(8);
  const auto uses_past = call.integer(9);
  const auto has_state = call.integer(10);
  if (!is_static || !uses_past || !has_state) return {};
  const bool continues = *uses_past != 0 && *has_state != 0;
  const Dims* key = ranked(call, 1, 3);
  const Dims* cache = ranked(call, 6, 4);
  const Count cached = cache == nullptr ? Count::unknown() : count_of((*cache)[2]);
  if (*is_static != 0) {
    const Count given = key == nullptr ? Count::unknown() : count_of((*key)[0]);
    return continues ? KeySource{0, cached} : KeySource{given, 0};
  }
  return {queries, continues ? cached : Count(0)};
}

/// Queries and keys stand in shapes of length x batch x width.
AttentionSizes decoder_sizes(const Call& call, const KeySource& source) {
  const std::int64_t heads = positive_attribute(call, "num_heads");
  AttentionSizes sizes;
  sizes.heads = heads;
  sizes.kv_heads = heads;
  sizes.keys = source.made + source.cached;
  if (const Dims* query = ranked(call, 0, 3)) {
    sizes.queries = count_of((*query)[0]);
    sizes.batch = count_of((*query)[1]);
    sizes.head_size = equal_part(call, count_of((*query)[2]), heads, "query");
    sizes.value_head_size = sizes.head_size;
  }
  return sizes;
}

Count query_length(const Call& call) {
  const Dims* query = ranked(call, 0, 3);
  return query == nullptr ? Count::unknown() : count_of((*query)[0]);
}

/// Attention within a window, and of a few tokens that see and are seen by all.
OperatorWork window_work(const Call& call, std::size_t global_position, Count others) {
  const Dims* input = ranked(call, 0, 3);
  if (input == nullptr) return {Count::unknown(), Count::unknown()};
  const std::int64_t heads = positive_attribute(call, "num_heads");
  const std::int64_t window = positive_attribute(call, "window");
  const Count width = count_of((*input)[2]);
  const Count tokens = count_of((*input)[0]) * count_of((*input)[1]);
  AttentionSizes sizes;
  sizes.heads = heads;
  sizes.head_size = equal_part(call, width, heads, "input");
  sizes.value_head_size = sizes.head_size;
  Count global_tokens = 0;
  if (const auto flags = call.integers(global_position)) {
    global_tokens = static_cast<std::int64_t>(
        std::count_if(flags->begin(), flags->end(), [](std::int64_t flag) { return flag != 0; }));
  } else {
    call.note("which tokens attend globally depends on data; none are counted");
  }
  const Count local = tokens * (Count(window) * Count(2) + Count(1));
  const Count global = global_tokens * count_of((*input)[1]) * Count(2);
  // Local queries, keys and values and, for the global tokens' sake, a second set.
  const Count second_set =
      global_tokens == Count(0) ? Count(0) : (tokens * Count(2) + global_tokens);
  const Count projections = (tokens * Count(3) + second_set) * width * width;
  return attention_work(sizes, sizes.heads * (local + global), {.biased = true}, projections,
                        (tokens * Count(3) + second_set) * width + others);
}

}  // namespace

void decoder_attention(Call& call) {
  same_as_input(call);
  const AttentionSizes sizes = decoder_sizes(call, key_source(call, query_length(call)));
  const Dims cache = {dim_of(sizes.batch), dim_of(sizes.heads), dim_of(sizes.keys),
                      dim_of(sizes.head_size)};
  call.set(1, call.type(0), cache);
  call.set(2, call.type(0), cache);
}

OperatorWork decoder_attention_work(const Call& call) {
  const KeySource source = key_source(call, query_length(call));
  const AttentionSizes sizes = decoder_sizes(call, source);
  const Count width = sizes.heads * sizes.head_size;
  const Count projected = sizes.batch * (sizes.queries + source.made * Count(2)) * width;
  return attention_work(sizes, sizes.scores(), {.biased = call.has_input(5)}, projected * width,
                        projected);
}

void window_attention(Call& call) { same_as_input(call); }

OperatorWork window_attention_work(const Call& call) { return window_work(call, 6, 0); }

OperatorWork ordered_window_attention_work(const Call& call) {
  return window_work(call, 12, call.input(0).elements() * Count(4 * kQuantizeFlops));
}

}  // namespace jouletree::model
