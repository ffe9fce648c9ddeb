#pragma once

#include <span>
#include <vector>

namespace jouletree {

/// The ranks of values, from 1; equal ones share the mean of theirs.
struct Ranks {
  std::vector<double> of;  ///< By position of the value.
  double ties = 0;         ///< Σ t³ − t over groups of t equal values; 0 where all differ.
};

[[nodiscard]] Ranks ranks_of(std::span<const double> values);

/// The share of the normal distribution that lies beyond so many deviations on one side.
[[nodiscard]] double normal_tail(double deviations);

}  // namespace jouletree
