#pragma once

#include <chrono>
#include <optional>

#include "measure/trials.hpp"

namespace jouletree::measure {

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
  /// How long meters see every part at least; 0 where a budget may shorten that.
  [[nodiscard]] Duration least() const { return budget_ ? Duration(0) : least_; }
  /// Loading a cut-out model and warming it up take time, too: tells how long the windows of one
  /// were, and how long all took, so that the next plans leave room for that.
  void took(Duration windows, Duration all);
  /// What a budget did that was too small for all operators.
  struct Spent {
    Duration before;            ///< Until the first operator.
    Duration on_operators;      ///< Loading included.
    double share = 0;           ///< Of the weights of all operators, of those that were measured.
    std::size_t operators = 0;  ///< All of them.
    std::size_t measured = 0;   ///< How many were measured.
  };
  /// A budget in which all would be measured, rounded up to what people type.
  [[nodiscard]] Duration budget_for_all(const Spent& spent) const;
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
  double share_of_operators_;
  Clock::time_point begin_;
  Clock::time_point operators_end_;
  Clock::time_point end_;
};

}  // namespace jouletree::measure
