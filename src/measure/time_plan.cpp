#include "measure/time_plan.hpp"

#include <algorithm>

namespace jouletree {
namespace {

using Duration = TimePlan::Duration;

/// Update periods of a meter in the windows of one workload, so that its steps do not matter.
constexpr double kPeriods = 50;
constexpr double kShareOfWhole = 0.15;
constexpr double kShareOfOperators = 0.75;  ///< With the whole and all that comes before.
constexpr double kLeastShareOfWindows = 0.1;
constexpr Duration kShortest{0.03};

}  // namespace

TimePlan::TimePlan(double precision, Duration update_period, std::optional<Duration> budget,
                   bool with_modules, Clock::time_point begin)
    : precision_(precision), least_(kPeriods * update_period), budget_(budget) {
  const auto at = [&](double share) {
    return begin + std::chrono::duration_cast<Clock::duration>(*budget * share);
  };
  operators_end_ = budget ? at(with_modules ? kShareOfOperators : 1) : Clock::time_point::max();
  end_ = budget ? at(1) : Clock::time_point::max();
}

TrialPlan TimePlan::unhurried() const {
  return {precision_, least_, std::max(Duration(3), 2 * least_)};
}

TrialPlan TimePlan::within(Duration time) const {
  const double share = std::max(in_windows_ / in_all_, kLeastShareOfWindows);
  const Duration most = std::max(kShortest, share * time);
  return {precision_, std::min(least_, most), most};
}

TrialPlan TimePlan::whole() const {
  if (budget_) return within(*budget_ * kShareOfWhole);
  TrialPlan plan = unhurried();
  plan.most = std::max(plan.most, Duration(10));
  return plan;
}

TrialPlan TimePlan::for_operator(double share, Clock::time_point now) const {
  if (!budget_) return unhurried();
  return within((operators_end_ - now) * share);
}

TrialPlan TimePlan::for_module(std::size_t left, Clock::time_point now) const {
  if (!budget_) return unhurried();
  return within(Duration(end_ - now) / static_cast<double>(left));
}

void TimePlan::took(Duration windows, Duration all) {
  in_windows_ += windows;
  in_all_ += all;
}

bool TimePlan::over_for_operators(Clock::time_point now) const { return now >= operators_end_; }

bool TimePlan::over_for_modules(Clock::time_point now) const { return now >= end_; }

}  // namespace jouletree
