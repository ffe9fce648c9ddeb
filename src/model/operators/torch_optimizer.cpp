#include <algorithm>

#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/recorded_shape.hpp"

namespace jouletree::model {
namespace {

// Calls on lists of tensors, which optimisers make.

Count all_outputs(const Call& call) {
  Count elements = 0;
  for (std::size_t i = 0; i < call.output_count(); ++i)
    if (call.has_output(i)) elements += call.output(i).elements();
  return elements;
}

Count all_inputs(const Call& call) {
  Count elements = 0;
  for (std::size_t i = 0; i < call.input_count(); ++i)
    if (call.has_input(i)) elements += call.input(i).elements();
  return elements;
}

template <std::int64_t FlopsPerElement>
OperatorWork per_listed_output(const Call& call) {
  return {0, all_outputs(call) * Count(FlopsPerElement)};
}

template <std::int64_t FlopsPerElement>
OperatorWork per_listed_input(const Call& call) {
  return {0, all_inputs(call) * Count(FlopsPerElement)};
}

/// Copies the second half of the inputs over the first.
OperatorWork listed_copy_work(const Call& call) {
  Count read = 0;
  for (std::size_t i = call.input_count() / 2; i < call.input_count(); ++i)
    read += call.input(i).bytes();
  return {0, 0, read};
}

OperatorWork listed_fill_work(const Call& /*call*/) { return {0, 0, Count(0)}; }

/// All steps of an optimiser in one call: so many operations for each element of its weights, which
/// come first.
template <std::int64_t FlopsPerWeight>
OperatorWork fused_step_work(const Call& call) {
  const auto weights = static_cast<std::size_t>(call.attribute("weights", std::int64_t{0}));
  Count elements = 0;
  for (std::size_t i = 0; i < std::min(weights, call.input_count()); ++i)
    elements += call.input(i).elements();
  return {0, elements * Count(FlopsPerWeight)};
}

// Per weight, as for the optimisers of ONNX.
constexpr std::int64_t kAdamFlops = 15;
constexpr std::int64_t kMomentumFlops = 7;
constexpr std::int64_t kAdagradFlops = 9;

constexpr OperatorRow kTorchOptimizerRows[] = {
    {kTorch, "ListArithmetic", as_recorded, per_listed_output<1>},
    {kTorch, "ListMultiplyAdd", as_recorded, per_listed_output<3>},
    {kTorch, "ListNorm", as_recorded, per_listed_input<2>},
    {kTorch, "ListCopy", as_recorded, listed_copy_work},
    {kTorch, "ListFill", as_recorded, listed_fill_work},
    {kTorch, "FusedAdam", as_recorded, fused_step_work<kAdamFlops>},
    {kTorch, "FusedMomentum", as_recorded, fused_step_work<kMomentumFlops>},
    {kTorch, "FusedAdagrad", as_recorded, fused_step_work<kAdagradFlops>},
    {kTorch, "ScaleGradients", as_recorded, per_listed_output<2>},
};

}  // namespace

std::span<const OperatorRow> torch_optimizer_rows() { return kTorchOptimizerRows; }

}  // namespace jouletree::model
