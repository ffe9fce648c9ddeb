#pragma once

#include <string_view>

namespace jouletree {

/// How a value is shown to people.
enum class MetricScale {
  Plain,
  Thousands,
  Bytes,
  Ratio,
  Si,  ///< With the prefix that fits the short unit: "1.2 ms".
};

/// How the value of another model relates to that of the first.
enum class MetricComparison {
  None,
  Difference,  ///< other − first
  Ratio,       ///< other ÷ first
  Reciprocal,  ///< first ÷ other
};

/// "none", "difference", "ratio", "reciprocal".
[[nodiscard]] std::string_view name_of(MetricComparison comparison);

/// Which of two values people want.
enum class Better { Neither, Lower, Higher };
/// "neither", "lower", "higher".
[[nodiscard]] std::string_view name_of(Better better);

}  // namespace jouletree
