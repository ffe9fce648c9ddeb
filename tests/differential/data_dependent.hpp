#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace jouletree::test {

/// Operators whose output sizes only a run can tell when the content of their inputs is not known.
[[nodiscard]] inline bool decides_shapes_by_data(std::string_view op) {
  constexpr std::array<std::string_view, 6> kOperators = {
      "NonMaxSuppression", "Unique",           "Compress",
      "NonZero",           "StringNormalizer", "DynamicTimeWarping"};
  return std::find(kOperators.begin(), kOperators.end(), op) != kOperators.end();
}

}  // namespace jouletree::test
