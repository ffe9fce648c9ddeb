#pragma once

#include <span>

#include "jouletree/figure.hpp"

namespace jouletree {

/// By how much the second series is larger than the first (Hodges and Lehmann): the median of all
/// differences between a value of one and a value of the other, with the 95 % interval that
/// mann_whitney() would not reject. There are no bounds for too few values, and nothing at all
/// where one series is empty. Of series with more than 1,000 values, as many quantiles are used.
[[nodiscard]] Figure shift_between(std::span<const double> first, std::span<const double> second);

/// The same of pairs, given as second less first: the median of the means of all two of them, with
/// the interval that wilcoxon_signed_rank() would not reject.
[[nodiscard]] Figure shift_of_pairs(std::span<const double> differences);

/// The factor between two series of numbers above zero: the shift of their logarithms.
[[nodiscard]] Figure ratio_between(std::span<const double> first, std::span<const double> second);
[[nodiscard]] Figure ratio_of_pairs(std::span<const double> ratios);

}  // namespace jouletree
