#include <fmt/format.h>

#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"

namespace jouletree::model {
namespace {

constexpr std::string_view kTraining = "ai.onnx.preview.training";

/// The rate and the step count stand before the tensors.
constexpr std::size_t kFirstTensor = 2;

/// An optimizer takes all weights, then all gradients, then its states kind by kind, and gives the
/// new weights and states.
std::size_t tensors(const Call& call, std::size_t kinds) {
  const std::size_t count = call.input_count();
  if (count <= kFirstTensor || (count - kFirstTensor) % kinds != 0) {
    call.fail(fmt::format("it has {} inputs, but needs a rate, a step and {} for each weight",
                          count, kinds));
  }
  return (count - kFirstTensor) / kinds;
}

template <std::size_t States>
void optimizer(Call& call) {
  const std::size_t count = tensors(call, 2 + States);
  for (std::size_t i = 0; i < count; ++i) {
    call.set(i, call.input(kFirstTensor + i));
    for (std::size_t state = 0; state < States; ++state)
      call.set((1 + state) * count + i, call.input(kFirstTensor + (2 + state) * count + i));
  }
}

Count updated_elements(const Call& call, std::size_t kinds) {
  const std::size_t count = tensors(call, kinds);
  Count total = 0;
  for (std::size_t i = 0; i < count; ++i) total += call.input(kFirstTensor + i).elements();
  return total;
}

/// Per element: weight decay 2, squared gradient 2, root 2, step 3.
OperatorWork adagrad_cost(const Call& call) { return {0, updated_elements(call, 3) * Count(9)}; }

/// Per element: weight decay 2, first moment 3, second moment 4, root 2, step 3, final decay 1.
OperatorWork adam_cost(const Call& call) { return {0, updated_elements(call, 4) * Count(15)}; }

/// Per element: weight decay 2, momentum 3, step 2, and 2 more to look ahead.
OperatorWork momentum_cost(const Call& call) {
  const bool looks_ahead = call.attribute("mode", "standard") == "nesterov";
  return {0, updated_elements(call, 3) * Count(looks_ahead ? 9 : 7)};
}

/// One gradient for each variable; variables come before the other inputs.
void gradient(Call& call) {
  for (std::size_t i = 0; i < call.output_count(); ++i) call.set(i, call.input(i));
}

constexpr OperatorRow kTrainingRows[] = {
    {kTraining, "Adagrad", optimizer<1>, adagrad_cost},
    {kTraining, "Adam", optimizer<2>, adam_cost},
    {kTraining, "Momentum", optimizer<1>, momentum_cost},
    {kTraining, "Gradient", gradient, nullptr},
};

}  // namespace

std::span<const OperatorRow> training_rows() { return kTrainingRows; }

}  // namespace jouletree::model
