#pragma once

#include <string>
#include <vector>

namespace jouletree::report {

/// A round scale that holds all values, with a mark at round steps.
struct PlotAxis {
  double low = 0;
  double high = 1;
  std::vector<double> marks;
  int decimals = 0;  ///< Digits behind the point that tell the marks apart.

  /// 0 at `low`, 1 at `high`.
  [[nodiscard]] double place_of(double value) const { return (value - low) / (high - low); }
  [[nodiscard]] std::string label(double mark) const;
};

/// About `wanted` marks from 0, or from below it, to the highest value: power is never shown on a
/// scale that begins higher, because that makes small differences look large.
[[nodiscard]] PlotAxis value_axis(double lowest, double highest, int wanted);
/// From 0 to exactly `end`, with marks where they fit.
[[nodiscard]] PlotAxis time_axis(double end, int wanted);

}  // namespace jouletree::report
