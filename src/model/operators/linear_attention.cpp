#include <algorithm>

#include <fmt/format.h>

#include "model/operators/attention_math.hpp"
#include "model/operators/attention_rules.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// LinearAttention keeps one matrix of key size x value size per head instead of a list of keys.
struct State {
  Count batch = Count::unknown();
  Count tokens = Count::unknown();
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  Count key_size = Count::unknown();
  Count value_size = Count::unknown();

  [[nodiscard]] Count outputs() const { return std::max(heads, kv_heads); }
};

State state_of(const Call& call) {
  State state;
  state.heads = positive_attribute(call, "q_num_heads");
  state.kv_heads = positive_attribute(call, "kv_num_heads");
  if (const Dims* query = ranked(call, 0, 3)) {
    state.batch = count_of((*query)[0]);
    state.tokens = count_of((*query)[1]);
    state.key_size = equal_part(call, count_of((*query)[2]), state.heads, "query");
  }
  if (const Dims* value = ranked(call, 2, 3))
    state.value_size = equal_part(call, count_of((*value)[2]), state.kv_heads, "value");
  return state;
}

}  // namespace

void linear_attention(Call& call) {
  const State state = state_of(call);
  const Dim batch = dim_of(state.batch);
  call.set(0, call.type(0),
           {batch, dim_of(state.tokens), dim_of(state.outputs() * state.value_size)});
  Dims matrices = {batch, state.kv_heads, dim_of(state.key_size), dim_of(state.value_size)};
  const std::int64_t window = call.attribute("state_window", std::int64_t{0});
  if (window < 0) call.fail(fmt::format("its attribute 'state_window' is {}", window));
  if (window > 0) matrices.insert(matrices.begin(), window);
  call.set(1, call.has_input(3) ? call.type(3) : call.type(0), std::move(matrices));
}

/// Per token every state is read for the output, gains the product of key and value and, by the
/// delta rule, is read with the key before; a gate multiplies it.
OperatorWork linear_attention_work(const Call& call) {
  const State state = state_of(call);
  const std::string_view rule = call.attribute("update_rule", "gated_delta");
  const bool delta = rule == "delta" || rule == "gated_delta";
  const bool gated = rule == "gated" || rule == "gated_delta";
  const Count matrix = state.batch * state.tokens * state.key_size * state.value_size;
  const Count products = Count(state.kv_heads) * Count(delta ? 2 : 1) + state.outputs();
  const Count gates = gated ? matrix * Count(state.kv_heads) : Count(0);
  return multiply_accumulates(matrix * products, gates);
}

}  // namespace jouletree::model
