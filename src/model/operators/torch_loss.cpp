#include "model/operators/activation_flops.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/recorded_shape.hpp"

namespace jouletree::model {
namespace {

// Losses as PyTorch calls them, and their gradients. The mean is one division more, which is not
// worth counting.

/// Subtract, square, add up.
constexpr std::int64_t kSquaredErrorFlops = 3;
constexpr std::int64_t kAbsoluteErrorFlops = 3;
/// Subtract, absolute, compare, square or shift, add up.
constexpr std::int64_t kHuberFlops = 6;
/// Two logarithms, two products, a difference, two sums.
constexpr std::int64_t kCrossEntropyFlops = 7;
/// A product, the softplus of the negative absolute value, two sums.
constexpr std::int64_t kLogitCrossEntropyFlops = kSoftplusFlops + 5;
/// Per state and step of a sequence: the greatest of three, three exponentials and two sums of
/// them, a logarithm, two sums.
constexpr std::int64_t kAlignmentFlops = 12;

/// Of every label, the score is picked, weighed and added up.
OperatorWork picked_work(const Call& call) {
  const Count labels = call.input(1).elements();
  const Count width = bits_of(call.type(0)).value_or(0) / 8;
  return {0, labels * Count(call.has_input(2) ? 4 : 2), call.input(1).bytes() + labels * width};
}

/// Zeros, and one number for every label.
OperatorWork picked_grad_work(const Call& call) {
  return {0, call.input(2).elements() * Count(2), call.input(2).bytes() + call.input(0).bytes()};
}

/// The second output holds a number for every state at every step.
OperatorWork alignment_work(const Call& call) {
  return {0, call.output(1).elements() * Count(kAlignmentFlops)};
}

/// The same backwards, and a gradient for every class at every step. Inputs: gradient, scores,
/// labels, lengths where they are tensors, then loss and states, which are the last two.
OperatorWork alignment_grad_work(const Call& call) {
  const std::size_t states = call.input_count() - 1;
  return {0, call.input(states).elements() * Count(kAlignmentFlops) +
                 call.output(0).elements() * Count(4)};
}

constexpr OperatorRow kTorchLossRows[] = {
    {kTorch, "LikelihoodLoss", as_recorded, picked_work},
    {kTorch, "LikelihoodLossGrad", as_recorded, picked_grad_work},
    {kTorch, "SquaredErrorLoss", as_recorded, per_input_element<kSquaredErrorFlops>},
    {kTorch, "SquaredErrorLossGrad", as_recorded, per_output_element<3>},
    {kTorch, "AbsoluteErrorLoss", as_recorded, per_input_element<kAbsoluteErrorFlops>},
    {kTorch, "HuberLoss", as_recorded, per_input_element<kHuberFlops>},
    {kTorch, "HuberLossGrad", as_recorded, per_output_element<kHuberFlops>},
    {kTorch, "CrossEntropyLoss", as_recorded, per_input_element<kCrossEntropyFlops>},
    {kTorch, "CrossEntropyLossGrad", as_recorded, per_output_element<kCrossEntropyFlops>},
    {kTorch, "LogitCrossEntropyLoss", as_recorded, per_input_element<kLogitCrossEntropyFlops>},
    {kTorch, "MarginLoss", as_recorded, per_input_element<4>},
    {kTorch, "MarginLossGrad", as_recorded, per_output_element<4>},
    {kTorch, "AlignmentLoss", as_recorded, alignment_work},
    {kTorch, "AlignmentLossGrad", as_recorded, alignment_grad_work},
};

}  // namespace

std::span<const OperatorRow> torch_loss_rows() { return kTorchLossRows; }

}  // namespace jouletree::model
