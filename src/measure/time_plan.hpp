#pragma once

#include <chrono>
#include <optional>

#include "measure/trials.hpp"

namespace jouletree {

/// Divides the time that a profile may take. Without a budget every workload gets what it needs.
class TimePlan {
 public:
  using Clock = std::chrono::steady_clock;
  using Duration = std::chrono::duration<double>;

  /// `update_period` of the slowest meter.
  TimePlan(double precision, Duration update_period, std::optional<Duration> budget,
           bool with_modules, Clock::time_point begin);

  [[nodiscard]] Clock::time_point begin() const { return begin_; }
  [[nodiscard]] TrialPlan whole() const;
  /// For an operator or a module that may take so long, loading it included.
  [[nodiscard]] TrialPlan part(Duration time) const;
  /// Loading a cut-out model and warming it up take time, too: tells how long the windows of one
  /// were, and how long all took, so that the next plans leave room for that.
  void took(Duration windows, Duration all);
  /// A budget in which so many operators would all be measured, by how long those took that were
  /// measured; `before` is what passed until the first of them. Rounded up to what people type.
  [[nodiscard]] Duration budget_for(std::size_t operators, Duration before) const;
  /// Endless without a budget.
  [[nodiscard]] Duration left_for_operators(Clock::time_point now) const;
  [[nodiscard]] Duration left_for_modules(Clock::time_point now) const;

 private:
  [[nodiscard]] TrialPlan unhurried() const;

  double precision_;
  Duration least_;
  std::optional<Duration> budget_;
  Duration in_windows_{0.7};  ///< As of a first workload that lasted a second.
  Duration in_all_{1};
  std::size_t measured_ = 0;  ///< Workloads that are in these.
  double share_of_operators_;
  Clock::time_point begin_;
  Clock::time_point operators_end_;
  Clock::time_point end_;
};

}  // namespace jouletree
