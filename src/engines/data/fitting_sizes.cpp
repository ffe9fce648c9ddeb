#include "engines/data/fitting_sizes.hpp"

#include <regex>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::engines {
namespace {

constexpr int kMostTries = 8;

/// What the user said of a size.
struct GivenSize {
  std::string name;
  Dim size = 0;
};

std::vector<GivenSize> given_sizes(const InputSettings& given) {
  std::vector<GivenSize> sizes;
  for (const auto& [name, size] : given.symbols)
    sizes.push_back({fmt::format("dimension '{}'", name), size});
  for (const auto& [name, dims] : given.shapes)
    for (const Dim size : dims) sizes.push_back({fmt::format("a size of input '{}'", name), size});
  return sizes;
}

/// Which of the sizes that clash somebody gave: "dimension 'sequence' was given as 5000 …". Empty
/// where nobody did, or where that cannot be told.
std::string clash_with_given(const std::string& problem, const InputSettings& given) {
  static const std::regex kClash("not fit each other: (\\d{1,18}) by (\\d{1,18})$");
  std::smatch found;
  if (!std::regex_search(problem, found, kClash)) return "";
  const std::pair clashing(std::stoll(found[1]), std::stoll(found[2]));
  std::string text;
  for (const GivenSize& one : given_sizes(given)) {
    if (one.size != clashing.first && one.size != clashing.second) continue;
    const Dim other = one.size == clashing.first ? clashing.second : clashing.first;
    std::string said = fmt::format("{} was given as {}, where the model has {}: give one that fits",
                                   one.name, one.size, other);
    if (!text.empty() && said != text) return "";
    text = std::move(said);
  }
  return text;
}

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
      const std::string clash = clash_with_given(error.what(), settings);
      if (inference.chosen.empty()) {
        if (clash.empty()) throw;
        throw Error(error.kind(), fmt::format("{}; {}", error.what(), clash));
      }
      if (first_refusal.empty()) {
        first_refusal = clash.empty() ? fmt::format("{}; {}", error.what(),
                                                    fmt::join(inference.size_notes, "; "))
                                      : fmt::format("{}; {}", error.what(), clash);
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
