#include "measure/clock_step.hpp"

#include <numeric>

#include <fmt/format.h>

namespace jouletree::measure {
namespace {

/// Share of the model that matters.
constexpr double kMattersShare = 0.01;
/// Times of so few steps are rough, which is worth a word where they are so much of the model.
constexpr double kFewSteps = 5;
constexpr double kMuchShare = 0.2;

}  // namespace

std::string forget_unresolved(double step_s, const std::vector<double>& totals,
                              std::vector<UniqueOperator>& operators) {
  if (step_s <= 0) return "";
  const double sum = std::accumulate(totals.begin(), totals.end(), 0.0);
  std::size_t forgotten = 0;
  double rough = 0;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    std::optional<double>& in_place = operators[i].in_place_s;
    if (!in_place) continue;
    if (*in_place <= kFewSteps * step_s) rough += totals[i];
    const bool matters = totals[i] > kMattersShare * sum || *in_place <= 0;
    if (*in_place > step_s || !matters) continue;
    in_place.reset();
    ++forgotten;
  }
  const double step_us = 1e6 * step_s;
  if (forgotten > 0) {
    return fmt::format(
        "times in place of {} of {} kinds of operators are unknown: they take no longer than {:g} "
        "µs, the step of the engine's own clock",
        forgotten, totals.size(), step_us);
  }
  if (rough <= kMuchShare * sum) return "";
  return fmt::format(
      "times in place are rough: the engine's own clock moves in steps of {:g} µs, and many "
      "operators take only a few of them",
      step_us);
}

}  // namespace jouletree::measure
