#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/inference/evaluator.hpp"
#include "model/inference/inputs.hpp"

namespace jouletree::model {

/// One inference with certain sizes.
struct SizeAttempt {
  SizeChoices choices;
  std::unique_ptr<Evaluator> evaluator;
  std::optional<Inference> inference;  ///< Nothing where the sizes do not fit.
  std::optional<Error> error;
  std::string hint;  ///< Says which sizes were chosen.

  [[nodiscard]] bool fits() const { return inference.has_value(); }
  /// By all nodes together, where the sizes fit.
  [[nodiscard]] std::int64_t written_bytes() const;
};

/// Tries sizes, up to a limit of attempts and nodes. Graph and settings must outlive it.
class SizeAttempts {
 public:
  SizeAttempts(const Graph& graph, const InputSettings& settings, GuessedRanks ranks)
      : graph_(graph), settings_(settings), ranks_(std::move(ranks)) {}

  [[nodiscard]] InputStates settle(const SizeChoices& choices) const {
    return settle_inputs(graph_, settings_, choices, ranks_);
  }
  /// Masks and positions follow the lengths that are chosen.
  [[nodiscard]] SizeAttempt run(SizeChoices choices);
  /// The same, but nothing where an input would become larger than any machine takes.
  [[nodiscard]] std::optional<SizeAttempt> run_if_small(SizeChoices choices);
  [[nodiscard]] bool used_up() const;

 private:
  const Graph& graph_;
  const InputSettings& settings_;
  GuessedRanks ranks_;
  int attempts_ = 0;
  std::size_t nodes_ = 0;  ///< Inferred in all attempts.
};

}  // namespace jouletree::model
