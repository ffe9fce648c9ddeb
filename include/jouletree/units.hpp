#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>

namespace jouletree {

/// In bytes.
inline constexpr double kMebibyte = 1024.0 * 1024.0;

/// An amount of energy as a whole number of microjoules: sums of any length stay exact, and 64 bits
/// hold three centuries of a kilowatt.
struct Joules {
  std::int64_t micro = 0;

  /// Rounds to the nearest microjoule. What does not fit becomes the largest that does.
  [[nodiscard]] static Joules from(double joules) {
    constexpr double kMost = 9.2e18;
    return {std::llround(std::clamp(joules * 1e6, -kMost, kMost))};
  }
  [[nodiscard]] constexpr double value() const { return static_cast<double>(micro) * 1e-6; }

  constexpr Joules& operator+=(Joules other) {
    micro += other.micro;
    return *this;
  }
  constexpr Joules& operator-=(Joules other) {
    micro -= other.micro;
    return *this;
  }
  friend constexpr Joules operator+(Joules a, Joules b) { return {a.micro + b.micro}; }
  friend constexpr Joules operator-(Joules a, Joules b) { return {a.micro - b.micro}; }
  friend constexpr bool operator==(Joules a, Joules b) { return a.micro == b.micro; }
  friend constexpr auto operator<=>(Joules a, Joules b) { return a.micro <=> b.micro; }
};

struct Watts {
  double value = 0;

  friend constexpr Watts operator+(Watts a, Watts b) { return {a.value + b.value}; }
  friend constexpr Watts operator-(Watts a, Watts b) { return {a.value - b.value}; }
  friend constexpr bool operator==(Watts a, Watts b) { return a.value == b.value; }
  friend constexpr auto operator<=>(Watts a, Watts b) { return a.value <=> b.value; }
};

using Seconds = std::chrono::duration<double>;

[[nodiscard]] inline Joules operator*(Watts power, Seconds time) {
  return Joules::from(power.value * time.count());
}
/// Only for a time that is not zero.
[[nodiscard]] inline Watts operator/(Joules energy, Seconds time) {
  return {energy.value() / time.count()};
}

}  // namespace jouletree
