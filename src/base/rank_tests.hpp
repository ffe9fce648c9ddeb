#pragma once

#include <span>

namespace jouletree {

/// How well what was seen agrees with "there is no difference".
struct RankTest {
  double statistic = 0;
  double p = 1;          ///< Of a difference as large as this one, in either direction.
  double p_greater = 1;  ///< Of one as large in the direction that the second is greater.
  bool exact = false;    ///< Counted; else by the normal distribution.
};

/// Mann and Whitney's test of two independent series. The statistic is U: in how many pairs the
/// value of `second` is the larger one, equal values counting half. Exact for up to 50 different
/// values; else by the normal distribution with corrections for ties and continuity. A p of 1 where
/// one of the series is empty or all values are equal.
[[nodiscard]] RankTest mann_whitney(std::span<const double> first, std::span<const double> second);

/// Wilcoxon's signed-rank test of pairs, given as second less first. The statistic is W: the ranks
/// of the positive differences, by size, added up. Pairs without a difference are left out. Exact
/// for up to 50 pairs whose differences all have other sizes; else as above.
[[nodiscard]] RankTest wilcoxon_signed_rank(std::span<const double> differences);

}  // namespace jouletree
