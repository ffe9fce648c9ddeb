#pragma once

#include <optional>

namespace jouletree {

/// Whether energy above idle can be told from none: not where it is negative, where its bounds
/// reach zero, or, without bounds, where it is a hundredth of the gross energy.
[[nodiscard]] inline bool is_told_from_idle(double above_idle_j, const std::optional<double>& low_j,
                                            const std::optional<double>& gross_j) {
  constexpr double kSurelySeen = 0.01;
  const double least = gross_j && !low_j ? kSurelySeen * *gross_j : 0;
  return low_j.value_or(above_idle_j) > least;
}

}  // namespace jouletree
