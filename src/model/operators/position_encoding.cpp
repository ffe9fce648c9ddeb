#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/attention_math.hpp"
#include "model/operators/attention_rules.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// Elements that are turned: of each head all or the first `rotary_embedding_dim`. The input is
/// batch x length x width or batch x heads x length x head size.
Count turned_elements(const Call& call) {
  const Dims* dims = ranked(call, 0, 3, 4);
  const std::int64_t part = call.attribute("rotary_embedding_dim", std::int64_t{0});
  if (dims == nullptr) return Count::unknown();
  const Count all = elements_of(*dims);
  if (part <= 0) return all;
  const std::int64_t heads = call.attribute("num_heads", std::int64_t{0});
  Count head_size = count_of(dims->back());
  if (dims->size() == 3 && heads > 0) head_size = equal_part(call, head_size, heads, "input");
  if (all == Count(0)) return 0;
  return all / head_size * Count(part);
}

OperatorWork turning_work(const Call& call, std::size_t positions, std::size_t cosines,
                          std::size_t sines) {
  OperatorWork work{0, turned_elements(call) * Count(kRotaryFlops)};
  // Of the tables it reads the rows of the positions.
  const Dims* table = call.dims(cosines);
  if (!call.has_input(positions) || table == nullptr || table->empty()) return work;
  const Dims* input = call.dims(0);
  if (input == nullptr || input->size() < 3) return work;
  const Count tokens = count_of((*input)[0]) * count_of((*input)[input->size() == 4 ? 2 : 1]);
  ValueType row = call.input(cosines);
  row.dims = Dims{table->back()};
  ValueType sine_row = row;
  sine_row.type = call.type(sines);
  work.read_bytes = call.input(0).bytes() + call.input(positions).bytes() +
                    tokens * (row.bytes() + sine_row.bytes());
  return work;
}

Dim length_dim(const Call& call, std::size_t position) {
  return dim_of(length_input(call, position));
}

}  // namespace

OperatorWork rotary_work(const Call& call) { return turning_work(call, 3, 1, 2); }

OperatorWork microsoft_rotary_work(const Call& call) { return turning_work(call, 1, 2, 3); }

void gemma_rotary(Call& call) {
  call.set(0, call.input(1));
  call.set(1, call.input(3));
}

OperatorWork gemma_rotary_work(const Call& call) {
  const Count turned = call.input(1).elements() + call.input(3).elements();
  return {0, call.input(0).elements() * Count(2) + turned * Count(kRotaryFlops)};
}

void position_bias(Call& call) {
  const Dims* table = ranked(call, 0, 2);
  call.set(
      0, call.type(0),
      {1, table == nullptr ? kUnknownDim : (*table)[1], length_dim(call, 1), length_dim(call, 2)});
}

OperatorWork position_bias_work(const Call& call) {
  // The bucket of a distance: subtract, absolute, compare, divide, log, divide, multiply, add, min.
  constexpr std::int64_t kBucketFlops = 9;
  const Dims* dims = call.output_dims(0);
  if (dims == nullptr || dims->size() != 4) return {0, Count::unknown()};
  return {0, count_of((*dims)[2]) * count_of((*dims)[3]) * Count(kBucketFlops)};
}

void gated_position_bias(Call& call) {
  const std::int64_t heads = positive_attribute(call, "num_heads");
  const Dims* query = ranked(call, 0, 3, 2);
  const Dims* padded = call.has_input(6) ? ranked(call, 6, 2) : query;
  const Dim batch = padded == nullptr ? kUnknownDim : (*padded)[0];
  const Dim length = padded == nullptr ? kUnknownDim : (*padded)[1];
  if (query != nullptr && query->size() == 2 && !call.has_input(6))
    call.fail("without token offsets its queries should have 3 dimensions");
  call.set(0, call.type(0), {batch, heads, length, length});
}

OperatorWork gated_position_bias_work(const Call& call) {
  const Dims* output = call.output_dims(0);
  const Dims* weight = ranked(call, 3, 2);
  if (output == nullptr || weight == nullptr || output->size() != 4)
    return {Count::unknown(), Count::unknown()};
  const Count queries = elements_of(*output, 0, 3);
  const Count gates = queries * count_of((*weight)[1]);
  // Bias and sum of what the product gives; two sigmoids and four operations make one gate.
  const Count others = queries * count_of((*weight)[0]) + gates * Count(2) +
                       queries * Count(2 * kSigmoidFlops + 4) + elements_of(*output);
  return multiply_accumulates(gates * count_of((*weight)[0]), others);
}

}  // namespace jouletree::model
