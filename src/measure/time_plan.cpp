#include "measure/time_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jouletree::measure {
namespace {

using Duration = TimePlan::Duration;

/// Update periods of a meter in the windows of one workload, so that its steps do not matter.
constexpr double kPeriods = 50;
constexpr double kShareOfWhole = 0.15;
constexpr double kShareOfOperators = 0.75;  ///< With the whole and all that comes before.
constexpr double kLeastShareOfWindows = 0.1;
constexpr Duration kShortest{0.03};
/// Of an operator as long as none was measured.
constexpr Duration kUsualPart{0.3};
/// Disturbed operators are measured again.
constexpr double kRoomForRepeats = 1.5;
constexpr Duration kEndless{std::numeric_limits<double>::infinity()};

double rounded_up(double seconds) {
  double step = 1;
  for (const double next : {5.0, 30.0, 300.0})
    if (seconds > 5 * next) step = next;
  return std::ceil(seconds / step) * step;
}

}  // namespace

TimePlan::TimePlan(double precision, Duration update_period, std::optional<Duration> budget,
                   bool with_modules, Clock::time_point begin)
    : precision_(precision),
      least_(kPeriods * update_period),
      budget_(budget),
      share_of_operators_(with_modules ? kShareOfOperators : 1),
      begin_(begin) {
  const auto at = [&](double share) {
    return begin + std::chrono::duration_cast<Clock::duration>(*budget * share);
  };
  operators_end_ = budget ? at(share_of_operators_) : Clock::time_point::max();
  end_ = budget ? at(1) : Clock::time_point::max();
}

TrialPlan TimePlan::unhurried() const {
  return {precision_, least_, std::max(Duration(3), 2 * least_)};
}

TrialPlan TimePlan::part(Duration time) const {
  const double share = std::max(in_windows_ / in_all_, kLeastShareOfWindows);
  const Duration most = std::clamp(share * time, kShortest, unhurried().most);
  return {precision_, std::min(least_, most), most};
}

TrialPlan TimePlan::whole() const {
  TrialPlan plan = unhurried();
  plan.most = std::max(plan.most, Duration(10));
  if (budget_) plan.most = std::min(plan.most, part(*budget_ * kShareOfWhole).most);
  plan.least = std::min(plan.least, plan.most);
  return plan;
}

void TimePlan::took(Duration windows, Duration all) {
  in_windows_ += windows;
  in_all_ += all;
}

Duration TimePlan::budget_for_all(const Spent& spent) const {
  const auto all_operators = static_cast<double>(spent.operators);
  Duration operators = kUsualPart * all_operators;
  // Those that take long come first, but each takes some time, however short it is.
  if (spent.share > 0 && spent.measured > 0) {
    operators = std::max(spent.on_operators / spent.share,
                         spent.on_operators / static_cast<double>(spent.measured) * all_operators);
  }
  const Duration all = spent.before + kRoomForRepeats * operators;
  // The whole model takes its share of a larger budget, too.
  const double share = share_of_operators_ - kShareOfWhole;
  return Duration(rounded_up(std::max(all / share, 1.1 * budget_.value_or(all)).count()));
}

Duration TimePlan::left_for_operators(Clock::time_point now) const {
  return budget_ ? Duration(operators_end_ - now) : kEndless;
}

Duration TimePlan::left_for_modules(Clock::time_point now) const {
  return budget_ ? Duration(end_ - now) : kEndless;
}

}  // namespace jouletree::measure
