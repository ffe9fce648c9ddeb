#pragma once

#include <cmath>
#include <cstdint>

#include "jouletree/elements.hpp"
#include "jouletree/value_type.hpp"

namespace jouletree::model {

/// One operation on two numbers. Integers wrap, as the engines let them; real results are not yet
/// rounded to the type of their tensor.
struct NumberOperation {
  Scalar (*on_integers)(std::int64_t, std::int64_t) = nullptr;
  double (*on_reals)(double, double) = nullptr;

  /// Of two elements of a tensor of `type`; unknown where one of them is or the type has none.
  [[nodiscard]] Scalar operator()(const Scalar& a, const Scalar& b, DataType type) const {
    if (!a.known() || !b.known()) return {};
    if (!is_floating(type))
      return on_integers == nullptr ? Scalar() : on_integers(a.as_integer(), b.as_integer());
    return on_reals == nullptr ? Scalar() : Scalar::real(on_reals(a.as_real(), b.as_real()));
  }
};

namespace number {

// Through unsigned numbers, because signed overflow has no meaning in C++.
inline Scalar add(std::int64_t a, std::int64_t b) {
  return Scalar::integer(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)));
}
inline Scalar sub(std::int64_t a, std::int64_t b) {
  return Scalar::integer(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)));
}
inline Scalar mul(std::int64_t a, std::int64_t b) {
  return Scalar::integer(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)));
}
inline Scalar div(std::int64_t a, std::int64_t b) {
  if (b == 0) return {};
  return b == -1 ? sub(0, a) : Scalar::integer(a / b);
}
inline Scalar min(std::int64_t a, std::int64_t b) { return Scalar::integer(a < b ? a : b); }
inline Scalar max(std::int64_t a, std::int64_t b) { return Scalar::integer(a < b ? b : a); }

inline double add(double a, double b) { return a + b; }
inline double sub(double a, double b) { return a - b; }
inline double mul(double a, double b) { return a * b; }
inline double div(double a, double b) { return a / b; }
// Not a number on either side is not a number.
inline double min(double a, double b) { return std::isnan(a) || a < b ? a : b; }
inline double max(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace number

inline constexpr NumberOperation kAdd{number::add, number::add};
inline constexpr NumberOperation kSub{number::sub, number::sub};
inline constexpr NumberOperation kMul{number::mul, number::mul};
inline constexpr NumberOperation kDiv{number::div, number::div};
inline constexpr NumberOperation kMin{number::min, number::min};
inline constexpr NumberOperation kMax{number::max, number::max};

}  // namespace jouletree::model
