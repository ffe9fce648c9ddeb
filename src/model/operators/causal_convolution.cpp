#include "model/operators/causal_convolution.hpp"

#include "model/operators/activation_flops.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

constexpr std::size_t kKernelAxis = 2;

/// Positions that the kernel reaches back along the causal axis, the last of the kernel.
Dim state_length(const Call& call) {
  const std::int64_t dilation = call.attribute("dilation", std::int64_t{1});
  if (dilation < 1) call.fail("its attribute 'dilation' should be positive");
  const Dims* weight = call.dims(1);
  if (weight == nullptr) return kUnknownDim;
  if (weight->size() <= kKernelAxis) call.fail("its weights have no kernel");
  return dim_of((count_of(weight->back()) - 1) * dilation);
}

}  // namespace

void causal_conv(Call& call) {
  constexpr std::size_t kPastState = 3;
  same_as_input(call);
  if (call.has_input(kPastState)) return call.set(1, call.input(kPastState));
  const Dims* dims = call.dims(0);
  const bool channels_last = call.attribute("channels_last", std::int64_t{0}) != 0;
  if (dims == nullptr) return call.set_unknown(1, call.type(0));
  if (dims->size() < 3) call.fail("its input should have batch, channels and positions");
  Dims state = *dims;
  (channels_last ? state[1] : state.back()) = state_length(call);
  const std::int64_t window = call.attribute("state_window", std::int64_t{0});
  if (window < 0) call.fail("its attribute 'state_window' should not be negative");
  if (window > 0) state.insert(state.begin(), window);
  call.set(1, call.type(0), std::move(state));
}

void varlen_causal_conv(Call& call) {
  constexpr std::size_t kInitialState = 4;
  same_as_input(call);
  call.set(1, call.input(kInitialState));
  const Dims* state = call.dims(kInitialState);
  if (state == nullptr) return call.set_unknown(2, call.type(0));
  if (state->size() < 2) call.fail("its initial state should have batch, channels and positions");
  call.set(2, call.type(0),
           {state->front(), call.attribute("state_update_capacity", std::int64_t{0}), (*state)[1]});
}

OperatorWork causal_conv_work(const Call& call, std::size_t bias_slot) {
  const Dims* weight = call.dims(1);
  if (weight == nullptr || weight->size() <= kKernelAxis)
    return {Count::unknown(), Count::unknown()};
  const Count elements = call.output(0).elements();
  const std::int64_t finish = (call.has_input(bias_slot) ? 1 : 0) +
                              fused_activation_flops(call.attribute("activation", "none"));
  return multiply_accumulates(elements * elements_of(*weight, kKernelAxis, weight->size()),
                              elements * Count(finish));
}

}  // namespace jouletree::model
