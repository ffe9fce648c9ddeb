#include "measure/trials.hpp"

#include <algorithm>

namespace jouletree::measure {
namespace {

constexpr std::size_t kLeastTrials = 5;
constexpr std::size_t kManyTrials = 4 * kLeastTrials;
constexpr std::chrono::duration<double> kShortWindow{0.01};

}  // namespace

std::int64_t runs_per_window(const TrialPlan& plan, std::chrono::duration<double> run_time) {
  const auto wanted = std::max(kShortWindow, plan.least / static_cast<double>(kManyTrials));
  const double runs = wanted / std::max(run_time, std::chrono::duration<double>(1e-8));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(runs));
}

bool is_enough(const TrialPlan& plan, const Trials& trials) {
  if (trials.seconds.empty()) return false;
  const std::chrono::duration<double> passed = trials.end - trials.begin;
  if (passed >= plan.most) return true;
  if (trials.seconds.size() < kLeastTrials || passed < plan.least) return false;
  // So many windows that are not exact are disturbed, and more of them now will not help.
  if (trials.seconds.size() >= kManyTrials && passed >= 2 * plan.least) return true;
  return is_precise(plan, trials.time);
}

bool is_precise(const TrialPlan& plan, const Summary& time) {
  // As little as tables forgive, too, when they round the interval up.
  constexpr double kRoundingErrors = 1e-9;
  return time.uncertainty() <= plan.precision + kRoundingErrors;
}

}  // namespace jouletree::measure
