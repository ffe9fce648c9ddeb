#pragma once

#include <span>
#include <vector>

namespace jouletree {

/// The p-values of many tests, each as it counts among all of them (Holm): who calls everything
/// below 0.05 a difference is wrong anywhere at all in 5 % of all comparisons. That holds however
/// the tests depend on each other, as those of a module and of its operators do; a rate of false
/// discoveries (Benjamini and Hochberg) would not, and would let some through by design.
[[nodiscard]] std::vector<double> corrected_for_many(std::span<const double> p_values);

}  // namespace jouletree
