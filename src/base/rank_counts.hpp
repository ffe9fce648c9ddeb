#pragma once

#include <cstddef>
#include <vector>

namespace jouletree {

/// In how many orders of `first` and `second` different values the second ones are larger in
/// exactly u of all pairs; by u. Exact up to kMostExactValues values together.
[[nodiscard]] std::vector<double> orders_by_pairs(std::size_t first, std::size_t second);

/// For how many signs of the ranks 1 … n the positive ones add up to exactly w; by w. Exact up to
/// kMostExactValues values.
[[nodiscard]] std::vector<double> signs_by_sum(std::size_t n);

/// Beyond this, counts are too large for a double to hold every one of them.
inline constexpr std::size_t kMostExactValues = 50;

/// How many of the smallest outcomes together are rarer than `tail` of all: the critical value.
[[nodiscard]] std::size_t rarer_than(const std::vector<double>& counts, double tail);

/// The share of the outcomes up to this one, and from it on.
[[nodiscard]] double share_up_to(const std::vector<double>& counts, std::size_t outcome);
[[nodiscard]] double share_from(const std::vector<double>& counts, std::size_t outcome);

}  // namespace jouletree
