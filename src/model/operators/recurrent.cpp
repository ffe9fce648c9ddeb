#include <algorithm>

#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// The sizes of a recurrent layer.
struct RecurrentSizes {
  Dim steps = kUnknownDim;
  Dim batch = kUnknownDim;
  Dim input = kUnknownDim;
  Dim hidden = kUnknownDim;
  Dim directions = 1;
};

bool batch_comes_first(const Call& call) { return call.attribute("layout", std::int64_t{0}) != 0; }

Dim directions_of(const Call& call) {
  const std::string_view name = call.attribute("direction", "forward");
  if (name == "bidirectional") return 2;
  if (name == "forward" || name == "reverse") return 1;
  call.fail(fmt::format("its attribute 'direction' is unknown: '{}'", name));
}

/// `hidden_axis` is the axis of the recurrence weights that counts the hidden units.
RecurrentSizes sizes_of(const Call& call, std::size_t hidden_axis) {
  RecurrentSizes sizes;
  sizes.directions = directions_of(call);
  if (const Dims* dims = call.dims(0); dims != nullptr) {
    if (dims->size() != 3)
      call.fail(fmt::format("its input should have 3 dimensions, but is {}", to_string(*dims)));
    const bool batch_first = batch_comes_first(call);
    sizes.steps = (*dims)[batch_first ? 1 : 0];
    sizes.batch = (*dims)[batch_first ? 0 : 1];
    sizes.input = dims->back();
  }
  if (const Dims* recurrence = call.dims(2); recurrence != nullptr) {
    if (recurrence->size() != 3) {
      call.fail(fmt::format("its recurrence weights should have 3 dimensions, but are {}",
                            to_string(*recurrence)));
    }
    sizes.hidden = (*recurrence)[hidden_axis];
  }
  if (call.has_attribute("hidden_size")) {
    const std::int64_t hidden = call.attribute("hidden_size", std::int64_t{0});
    if (hidden <= 0) call.fail("its attribute 'hidden_size' should be positive");
    sizes.hidden = same_dim(call, sizes.hidden, hidden, "hidden sizes of weights and attribute");
  }
  return sizes;
}

/// `input_axis` is the axis of the weights that counts the features of the input.
void check_weights(const Call& call, const RecurrentSizes& sizes, std::size_t input_axis) {
  const Dims* const weights = call.dims(1);
  // With attention, the weights are for the features and for what was attended to.
  const bool attends = call.node().op == "AttnLSTM";
  if (weights == nullptr || weights->size() != 3 || attends) return;
  (void)same_dim(call, sizes.input, (*weights)[input_axis], "features of input and weights");
}

/// The states that a layer begins with, where they are inputs.
void check_states(const Call& call, const Dims& expected) {
  for (const std::size_t slot : {5, 6}) {
    const Dims* const state = call.dims(slot);
    if (state == nullptr || state->empty()) continue;
    bool fits = state->size() == expected.size();
    for (std::size_t i = 0; fits && i < expected.size(); ++i)
      fits = (*state)[i] == expected[i] || (*state)[i] == kUnknownDim || expected[i] == kUnknownDim;
    if (!fits) {
      call.fail(fmt::format("its initial state should be {}, but is {}", to_string(expected),
                            to_string(*state)));
    }
  }
}

constexpr std::size_t kUntransposed = 2;
constexpr std::size_t kTransposed = 1;

template <std::size_t HiddenAxis>
void recur(Call& call) {
  const RecurrentSizes sizes = sizes_of(call, HiddenAxis);
  check_weights(call, sizes, HiddenAxis);
  const bool batch_first = batch_comes_first(call);
  const DataType type = call.type(0);
  if (call.dims(0) == nullptr) {
    call.set(0, type, Dims(4, kUnknownDim));
  } else if (batch_first) {
    call.set(0, type, {sizes.batch, sizes.steps, sizes.directions, sizes.hidden});
  } else {
    call.set(0, type, {sizes.steps, sizes.directions, sizes.batch, sizes.hidden});
  }
  const Dims state = batch_first ? Dims{sizes.batch, sizes.directions, sizes.hidden}
                                 : Dims{sizes.directions, sizes.batch, sizes.hidden};
  check_states(call, state);
  for (std::size_t i = 1; i < std::min<std::size_t>(call.output_count(), 3); ++i)
    call.set(i, type, state);
}

/// What the attribute `activations` says about the gate at `position`; both directions are alike.
std::int64_t gate_flops(const Call& call, std::size_t position, std::int64_t fallback) {
  const Attribute* names = call.node().attribute("activations");
  const bool given = names != nullptr && position < names->texts.size();
  const std::int64_t clip = call.has_attribute("clip") ? kClipFlops : 0;
  return clip + (given ? fused_activation_flops(names->texts[position]) : fallback);
}

/// Adds the products of input and state and, where there are any, both biases.
std::int64_t sum_flops(const Call& call) { return call.has_input(3) ? 3 : 1; }

std::int64_t rnn_flops(const Call& call) {
  return sum_flops(call) + gate_flops(call, 0, kTanhFlops);
}

/// Update and reset gates, the candidate from the reset state, and the mix of old and new state.
std::int64_t gru_flops(const Call& call) {
  constexpr std::int64_t kResetFlops = 1;
  constexpr std::int64_t kMixFlops = 4;
  return 3 * sum_flops(call) + 2 * gate_flops(call, 0, kSigmoidFlops) + kResetFlops +
         gate_flops(call, 1, kTanhFlops) + kMixFlops;
}

/// Four gates, three of them with optional peepholes; the new cell and the new state.
std::int64_t lstm_flops(const Call& call) {
  constexpr std::int64_t kCellFlops = 3;
  constexpr std::int64_t kStateFlops = 1;
  const std::int64_t peepholes = call.has_input(7) ? 3 * 2 : 0;
  return 4 * sum_flops(call) + peepholes + 3 * gate_flops(call, 0, kSigmoidFlops) +
         gate_flops(call, 1, kTanhFlops) + gate_flops(call, 2, kTanhFlops) + kCellFlops +
         kStateFlops;
}

/// Products of the gates with the input and the state, at every step and in every direction.
OperatorWork recurrent_work(const RecurrentSizes& sizes, std::int64_t gates,
                            std::int64_t unit_flops) {
  const Count units = count_of(sizes.steps) * count_of(sizes.batch) * count_of(sizes.directions) *
                      count_of(sizes.hidden);
  const Count reads = count_of(sizes.input) + count_of(sizes.hidden);
  return multiply_accumulates(units * Count(gates) * reads, units * Count(unit_flops));
}

OperatorWork rnn_work(const Call& call) {
  return recurrent_work(sizes_of(call, kUntransposed), 1, rnn_flops(call));
}

OperatorWork gru_work(const Call& call) {
  return recurrent_work(sizes_of(call, kUntransposed), 3, gru_flops(call));
}

OperatorWork lstm_work(const Call& call) {
  return recurrent_work(sizes_of(call, kUntransposed), 4, lstm_flops(call));
}

/// Input and state are quantised at every step, the products of the gates are scaled back.
OperatorWork dynamic_quantize_lstm_work(const Call& call) {
  constexpr std::int64_t kGates = 4;
  const RecurrentSizes sizes = sizes_of(call, kTransposed);
  OperatorWork work = recurrent_work(sizes, kGates, lstm_flops(call) + kGates * kDequantizeFlops);
  const Count calls = count_of(sizes.steps) * count_of(sizes.batch) * count_of(sizes.directions);
  work.flops +=
      calls * (count_of(sizes.input) + count_of(sizes.hidden)) * Count(kDynamicQuantizeFlops);
  return work;
}

/// An LSTM that at every step attends to a memory and reads what it found with the next input.
OperatorWork attention_lstm_work(const Call& call) {
  constexpr std::size_t kQueryWeights = 8;
  constexpr std::size_t kMemory = 11;
  constexpr std::size_t kAttentionWeights = 13;
  RecurrentSizes sizes = sizes_of(call, kUntransposed);
  sizes.input = dim_at(call, 1, -1);
  const OperatorWork lstm = recurrent_work(sizes, 4, lstm_flops(call));
  if (!call.has_input(kMemory) || !call.has_input(kQueryWeights)) return lstm;
  const Dims* memory = call.dims(kMemory);
  if (memory == nullptr || memory->size() != 3) return {Count::unknown(), Count::unknown()};
  const Count slots = count_of((*memory)[1]);
  const Count depth = count_of((*memory)[2]);
  const Count hidden = count_of(sizes.hidden);
  const Count width = count_of(dim_at(call, kQueryWeights, -1));
  const Count sequences = count_of(sizes.batch) * count_of(sizes.directions);
  Count per_step = hidden * width + slots * width + slots * depth;
  if (call.has_input(kAttentionWeights))
    per_step += (depth + hidden) * count_of(dim_at(call, kAttentionWeights, -1));
  const Count keys = sequences * slots * depth * width;
  const Count macs = keys + sequences * count_of(sizes.steps) * per_step;
  // Scores are the tanh of a sum, and go through a softmax.
  const Count scores = sequences * count_of(sizes.steps) * slots;
  const Count extra = scores * (width * Count(1 + kTanhFlops) + kSoftmaxFlops);
  return {lstm.macs + macs, lstm.flops + macs * Count(2) + extra};
}

// Sequence lengths and initial states are given, not learned.
constexpr ConstantRoles kSimpleRoles = {.weights = slots(1, 2, 3), .settings = slots(4, 5)};
constexpr ConstantRoles kLstmRoles = {.weights = slots(1, 2, 3, 7), .settings = slots(4, 5, 6)};
constexpr ConstantRoles kQuantizedLstmRoles = {.weights = slots(1, 2, 3, 7),
                                               .settings = slots(4, 5, 6, 8, 9, 10, 11)};
constexpr ConstantRoles kAttentionRoles = {.weights = slots(1, 2, 3, 7, 8, 9, 10, 13),
                                           .settings = slots(4, 5, 6, 11, 12)};

constexpr OperatorFacts kRecurs = {
    .work = WorkKind::WeightedProduct, .axes = AxisFlow::Recurrence, .recurs = true};
constexpr OperatorFacts kRecursWithAttention = {.work = WorkKind::WeightedProduct, .recurs = true};
constexpr OperatorFacts kRecursTurned = {.work = WorkKind::WeightedProduct,
                                         .axes = AxisFlow::RecurrenceOfTurned,
                                         .recurs = true,
                                         .narrow = true};

constexpr OperatorRow kRecurrentRows[] = {
    {kOnnx, "RNN", recur<kUntransposed>, rnn_work, kSimpleRoles, kRecurs},
    {kOnnx, "GRU", recur<kUntransposed>, gru_work, kSimpleRoles, kRecurs},
    {kOnnx, "LSTM", recur<kUntransposed>, lstm_work, kLstmRoles, kRecurs},
    {kMicrosoft, "DynamicQuantizeLSTM", recur<kTransposed>, dynamic_quantize_lstm_work,
     kQuantizedLstmRoles, kRecursTurned},
    {kMicrosoft, "AttnLSTM", recur<kUntransposed>, attention_lstm_work, kAttentionRoles,
     kRecursWithAttention},
};

}  // namespace

std::span<const OperatorRow> recurrent_rows() { return kRecurrentRows; }

}  // namespace jouletree::model
