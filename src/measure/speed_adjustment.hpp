#pragma once

#include <span>
#include <vector>

#include "measure/trials.hpp"

namespace jouletree::measure {

/// When a part of a model was measured.
struct SeriesSpan {
  Time begin;
  Time end;
  double weight = 1;  ///< In the sum that is to be adjusted.
};

/// How fast the machine was while each part of a model was measured, as far as windows of the whole
/// model in between can tell. They tell little where the whole itself changes from one window to
/// the next, so every correction is damped by its own uncertainty: one that is not larger than its
/// 95 % interval is not made.
class SpeedAdjustment {
 public:
  /// Time of the whole beside a series ÷ its median, and the interval that this lies in.
  struct Factor {
    double value = 1;
    double low = 1;
    double high = 1;
  };

  /// Of at least one window of the whole.
  SpeedAdjustment(const Trials& whole, std::span<const SeriesSpan> series);

  /// Of each series. The interval is that of this series beside the others; what all have in
  /// common is uncertain by common_low() and common_high().
  [[nodiscard]] const std::vector<Factor>& factors() const { return factors_; }
  /// By so much, at most, all factors together should be multiplied: up to 1, and 1 or more.
  [[nodiscard]] double common_low() const { return common_low_; }
  [[nodiscard]] double common_high() const { return common_high_; }
  /// How much the whole usually changed from one window to the next with a series in between, as a
  /// share: its standard deviation.
  [[nodiscard]] double scatter() const;

 private:
  struct Look {
    Time begin;
    Time end;
    double log_time = 0;  ///< Logarithm of its time ÷ median.
  };
  /// The looks beside a series, by position; one where there is none on the other side.
  struct Beside {
    std::vector<std::size_t> looks;
    double log_time = 0;
  };

  [[nodiscard]] double deviation_of_looks() const;
  [[nodiscard]] Beside beside(const SeriesSpan& span) const;
  /// Half the 95 % interval of what all series have in common.
  [[nodiscard]] double common_half_width(std::span<const SeriesSpan> series,
                                         const std::vector<Beside>& all, double weight) const;

  std::vector<Look> looks_;  ///< By time.
  double deviation_ = 0;     ///< Of the logarithm of one look.
  std::vector<Factor> factors_;
  double common_low_ = 1;
  double common_high_ = 1;
};

}  // namespace jouletree::measure
