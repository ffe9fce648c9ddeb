#pragma once

#include <span>
#include <vector>

namespace jouletree {

/// What a series of trials says. Everything is kept, so that nobody has to trust one choice.
struct Summary {
  std::size_t n = 0;
  double mean = 0;
  double median = 0;
  double trimmed_mean = 0;  ///< Without what is more than three deviations from the mean.
  double deviation = 0;     ///< Of a single trial; 0 for fewer than two.
  double half_width = 0;    ///< Of the 95 % confidence interval of the mean; 0 for fewer than two.
  /// Of the median: 95 %, without any assumption about how the values are spread. Wider than needed
  /// for fewer than six values.
  double median_low = 0;
  double median_high = 0;
  double min = 0;
  double max = 0;

  /// Half the width of the median's interval, as a share of the median: how exactly the median is
  /// known. Infinite for fewer than two values, which say nothing about that.
  [[nodiscard]] double uncertainty() const;
};

/// Throws std::invalid_argument for no values.
[[nodiscard]] Summary summarize(std::span<const double> values);

/// Student's t for a two-sided 95 % interval. Throws std::invalid_argument for no degrees of
/// freedom.
[[nodiscard]] double student_95(std::size_t freedom);

/// The value below which the share `q` of the values lies, interpolated; `sorted` must not be
/// empty.
[[nodiscard]] double quantile(std::span<const double> sorted, double q);

}  // namespace jouletree
