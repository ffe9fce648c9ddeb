#include "model/inference/size_attempts.hpp"

#include <algorithm>

#include "model/inference/length_rules.hpp"

namespace jouletree::model {
namespace {

constexpr int kMostAttempts = 2000;
/// Large models get fewer attempts, so that a search never takes minutes.
constexpr std::size_t kMostNodes = 3'000'000;
constexpr double kMostElements = 1 << 28;

bool is_too_large(const ValueState& state) {
  if (!state.type.dims) return false;
  double elements = 1;
  for (const Dim dim : *state.type.dims) elements *= static_cast<double>(dim);
  return elements > kMostElements;
}

}  // namespace

std::int64_t SizeAttempt::written_bytes() const {
  Count sum = 0;
  for (const NodeResult& node : inference->nodes)
    if (node.work.written_bytes.known()) sum += node.work.written_bytes;
  return sum.value();
}

SizeAttempt SizeAttempts::run(SizeChoices choices) {
  SizeAttempt attempt;
  ++attempts_;
  follow_lengths(graph_, settle(choices), choices);
  InputStates inputs = settle(choices);
  attempt.choices = std::move(choices);
  attempt.hint = inputs.choices;
  attempt.evaluator = std::make_unique<Evaluator>(graph_, std::move(inputs));
  try {
    attempt.inference = attempt.evaluator->run();
  } catch (const Error& error) {
    attempt.error = error;
  }
  nodes_ += attempt.evaluator->progress().nodes;
  return attempt;
}

std::optional<SizeAttempt> SizeAttempts::run_if_small(SizeChoices choices) {
  const std::vector<ValueState> states = settle(choices).states;
  if (std::any_of(states.begin(), states.end(), is_too_large)) return std::nullopt;
  return run(std::move(choices));
}

bool SizeAttempts::used_up() const { return attempts_ >= kMostAttempts || nodes_ >= kMostNodes; }

}  // namespace jouletree::model
