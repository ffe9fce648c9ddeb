#pragma once

#include <string>

#include "jouletree/figure.hpp"

namespace jouletree::report {

/// Said of a number whose interval is wider than ± 100 %.
inline constexpr const char* kUnstable = "unstable";

/// "0.8 %": half the interval, in per cent of the value; empty where there is none. Rounded up, so
/// that what is not as precise as asked never looks so. Wider intervals are kUnstable.
[[nodiscard]] std::string uncertainty_text(const Figure& figure);
/// "± 0.8 %", or kUnstable.
[[nodiscard]] std::string interval_text(const Figure& figure);

}  // namespace jouletree::report
