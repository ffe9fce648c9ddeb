#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace jouletree {

/// Of a float of 16 bits as IEEE 754 has it.
[[nodiscard]] inline double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int mantissa = bits & 0x3FF;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  if (exponent == 0x1F) {
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

/// Of a float of 16 bits that is the upper half of one of 32.
[[nodiscard]] inline double brain_to_double(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

}  // namespace jouletree
