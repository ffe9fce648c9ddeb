#include "model/operators/mixture_of_experts.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// Input positions of the up to three layers of an expert; the weights are experts x outputs x
/// inputs, or the last two swapped.
struct ExpertInputs {
  std::array<std::size_t, 3> weights;
  std::array<std::size_t, 3> biases;
};
constexpr ExpertInputs kPlainLayout = {{2, 4, 6}, {3, 5, 7}};
constexpr ExpertInputs kQuantizedLayout = {{2, 5, 8}, {4, 7, 10}};

/// Elements that one expert has in an input, which may be left out.
Count elements_per_expert(const Call& call, std::size_t position, std::size_t rank) {
  if (!call.has_input(position)) return 0;
  const Dims* dims = call.dims(position);
  if (dims == nullptr) return Count::unknown();
  if (dims->size() != rank) {
    call.fail(fmt::format("the input at position {} should have {} dimensions, but is {}", position,
                          rank, to_string(*dims)));
  }
  return elements_of(*dims, 1, rank);
}

Count tokens(const Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return Count::unknown();
  if (dims->empty()) call.fail("its input is a scalar");
  return elements_of(*dims, 0, dims->size() - 1);
}

/// Experts that a token is sent to: at most all of them.
Count used_experts(const Call& call, const ExpertInputs& layout, Count token_runs) {
  const Count experts = count_of(dim_at(call, layout.weights[0], 0));
  if (!experts.known() || !token_runs.known()) return Count::unknown();
  return std::min(experts.value(), token_runs.value());
}

Count read_bytes(const Call& call, const ExpertInputs& layout, Count used) {
  Count total = 0;
  Count weights = 0;
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    if (!call.has_input(i)) continue;
    const bool is_weights =
        std::find(layout.weights.begin(), layout.weights.end(), i) != layout.weights.end();
    (is_weights ? weights : total) += call.input(i).bytes();
  }
  return total + weights / count_of(dim_at(call, layout.weights[0], 0)) * used;
}

OperatorWork work(const Call& call, const ExpertInputs& layout, std::int64_t weights_per_stored,
                  bool dequantizes) {
  const std::int64_t chosen = call.attribute("k", std::int64_t{1});
  if (chosen < 0) call.fail(fmt::format("it cannot choose {} experts", chosen));
  const Count runs = tokens(call) * Count(chosen);
  const Count used = used_experts(call, layout, runs);
  Count weights = 0;
  Count biases = 0;
  for (const std::size_t position : layout.weights)
    weights += elements_per_expert(call, position, 3) * Count(weights_per_stored);
  for (const std::size_t position : layout.biases) biases += elements_per_expert(call, position, 2);
  const Count hidden = count_of(dim_at(call, 0, -1));
  // The second layer has as many weights as the hidden layer times the output.
  const Count inner =
      elements_per_expert(call, layout.weights[1], 3) * Count(weights_per_stored) / hidden;
  const Count activation =
      inner * Count(fused_activation_flops(call.attribute("activation_type", "relu")));
  const Count per_run = biases + activation + hidden * Count(2);
  const Count unpacking = dequantizes ? used * weights * Count(kDequantizeFlops) : Count(0);
  const Count routing = call.input(1).elements() * Count(kSoftmaxFlops);
  OperatorWork result = multiply_accumulates(runs * weights, runs * per_run + unpacking + routing);
  result.read_bytes = read_bytes(call, layout, used);
  return result;
}

}  // namespace

void experts(Call& call) { same_as_input(call); }

OperatorWork experts_work(const Call& call) { return work(call, kPlainLayout, 1, false); }

OperatorWork quantized_experts_work(const Call& call) {
  const bool packed = call.type(kQuantizedLayout.weights[0]) == DataType::UInt8;
  const std::int64_t bits = call.attribute("expert_weight_bits", std::int64_t{4});
  if (bits != 2 && bits != 4 && bits != 8)
    call.fail(fmt::format("its experts cannot have weights of {} bits", bits));
  return work(call, kQuantizedLayout, packed ? 8 / bits : 1, true);
}

}  // namespace jouletree::model
