#include "engines/data/fitting_sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::engines {
namespace {

constexpr int kMostTries = 8;

}  // namespace

Inference fitting_sizes(const Graph& graph, InputSettings& settings, Inference inference,
                        const std::function<void(const Inference&)>& run) {
  std::string first_refusal;
  InputSettings tried = settings;
  for (int tries = 1;; ++tries) {
    try {
      run(inference);
      settings = settled_settings(inference, std::move(settings));
      return inference;
    } catch (const Error& error) {
      if (inference.chosen.empty()) throw;
      if (first_refusal.empty()) {
        first_refusal = fmt::format("{}; {}", error.what(), fmt::join(inference.size_notes, "; "));
      }
      tried.refused.push_back(inference.chosen);
      Inference next = infer(graph, tried);
      const bool nothing_new = next.chosen == inference.chosen;
      if (nothing_new || tries == kMostTries) throw Error(error.kind(), first_refusal);
      inference = std::move(next);
    }
  }
}

}  // namespace jouletree::engines
