#include <bit>

#include "model/operators/activation_flops.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"

namespace jouletree::model {
namespace {

/// Recorded runs bring the types of all values along.
void as_recorded(Call& /*call*/) {}

Count addend_flops(const Call& call) {
  return call.has_input(2) ? call.output(0).elements() : Count(0);
}

/// Every output element is a sum over the last dimension of the first input.
OperatorWork inner_product_work(const Call& call) {
  const Dims* input = call.dims(0);
  if (input == nullptr || input->empty()) return {Count::unknown(), Count::unknown()};
  return multiply_accumulates(call.output(0).elements() * count_of(input->back()),
                              addend_flops(call));
}

/// Half of the input is squashed and multiplied with the other half.
OperatorWork gated_work(const Call& call) {
  return {0, call.output(0).elements() * Count(kSigmoidFlops + 1)};
}

/// A comparison sort.
OperatorWork sort_work(const Call& call) {
  const Count elements = call.input(0).elements();
  if (!elements.known()) return {0, Count::unknown()};
  const auto steps = std::bit_width(static_cast<std::uint64_t>(elements.value()));
  return {0, elements * Count(static_cast<std::int64_t>(steps))};
}

OperatorWork copy_work(const Call& call) { return {0, 0, call.input(1).bytes()}; }
OperatorWork fill_work(const Call& /*call*/) { return {0, 0, Count(0)}; }

// Mean, then difference, square and sum.
constexpr std::int64_t kTorchVarianceFlops = 4;

constexpr ConstantRoles kOperands = {.weights = slots(0, 1, 2)};

constexpr OperatorRow kTorchRows[] = {
    {kTorch, "Linear", as_recorded, inner_product_work, kOperands, kWeightedProducts},
    {kTorch, "AddMatMul", as_recorded, inner_product_work, kOperands, kWeightedProducts},
    {kTorch, "Rsqrt", as_recorded, per_output_element<2>},
    {kTorch, "Addcmul", as_recorded, per_output_element<3>},
    {kTorch, "Addcdiv", as_recorded, per_output_element<3>},
    {kTorch, "Lerp", as_recorded, per_output_element<3>},
    {kTorch, "Glu", as_recorded, gated_work},
    {kTorch, "LogSigmoid", as_recorded, per_output_element<kSoftplusFlops + 2>},
    {kTorch, "AdaptiveAveragePool", as_recorded, per_input_element<1>},
    {kTorch, "AdaptiveMaxPool", as_recorded, per_input_element<1>},
    {kTorch, "Variance", as_recorded, per_input_element<kTorchVarianceFlops>},
    {kTorch, "Sort", as_recorded, sort_work},
    {kTorch, "Roll", as_recorded, only_moves, {}, kKeepsValues},
    {kTorch, "Flip", as_recorded, only_moves, {}, kKeepsValues},
    {kTorch, "ChannelShuffle", as_recorded, only_moves, {}, kKeepsValues},
    {kTorch, "Copy", as_recorded, copy_work},
    {kTorch, "Fill", as_recorded, fill_work},
};

}  // namespace

std::span<const OperatorRow> torch_rows() { return kTorchRows; }

}  // namespace jouletree::model
