#pragma once

#include <cstdint>
#include <optional>

#include "jouletree/error.hpp"

namespace jouletree {

/// A whole number of things counted from a graph, or unknown. Unknown spreads through arithmetic;
/// a result beyond 64 bits throws Error(BadInput) instead of wrapping.
class Count {
 public:
  constexpr Count() = default;
  constexpr Count(std::int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] static constexpr Count unknown() {
    Count count;
    count.known_ = false;
    return count;
  }

  [[nodiscard]] constexpr bool known() const { return known_; }
  /// Only where known().
  [[nodiscard]] constexpr std::int64_t value() const { return value_; }
  [[nodiscard]] constexpr std::int64_t value_or(std::int64_t other) const {
    return known_ ? value_ : other;
  }
  [[nodiscard]] constexpr std::optional<std::int64_t> optional() const {
    return known_ ? std::optional(value_) : std::nullopt;
  }

  Count& operator+=(Count other) { return *this = *this + other; }

  friend Count operator+(Count a, Count b) {
    return combine(a, b,
                   [](auto x, auto y, auto* out) { return __builtin_add_overflow(x, y, out); });
  }
  friend Count operator-(Count a, Count b) {
    return combine(a, b,
                   [](auto x, auto y, auto* out) { return __builtin_sub_overflow(x, y, out); });
  }
  friend Count operator*(Count a, Count b) {
    return combine(a, b,
                   [](auto x, auto y, auto* out) { return __builtin_mul_overflow(x, y, out); });
  }
  /// Rounds towards zero; a division by zero is unknown.
  friend Count operator/(Count a, Count b) {
    if (!a.known_ || !b.known_ || b.value_ == 0) return unknown();
    return {a.value_ / b.value_};
  }
  friend constexpr bool operator==(Count a, Count b) {
    return a.known_ == b.known_ && (!a.known_ || a.value_ == b.value_);
  }

 private:
  template <class Operation>
  static Count combine(Count a, Count b, Operation operation) {
    if (!a.known_ || !b.known_) return unknown();
    std::int64_t result = 0;
    if (operation(a.value_, b.value_, &result)) fail();
    return {result};
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void fail() {
    throw Error(ErrorKind::BadInput, "a size of this model does not fit in 64 bits");
  }

  std::int64_t value_ = 0;
  bool known_ = true;
};

}  // namespace jouletree
