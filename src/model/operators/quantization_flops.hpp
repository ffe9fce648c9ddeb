#pragma once

#include <cstdint>

namespace jouletree::model {

// Operations per element of conversions between numbers and their quantised form.
inline constexpr std::int64_t kQuantizeFlops = 5;    ///< Divide, round, add, saturate at two ends.
inline constexpr std::int64_t kDequantizeFlops = 2;  ///< Subtract, multiply.
/// Minimum and maximum of the tensor first.
inline constexpr std::int64_t kDynamicQuantizeFlops = kQuantizeFlops + 2;

}  // namespace jouletree::model
