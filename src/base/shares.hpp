#pragma once

#include <optional>

namespace jouletree {

/// Nothing where one of both is not known, or the whole is nothing.
[[nodiscard]] inline std::optional<double> share(const std::optional<double>& part,
                                                 const std::optional<double>& whole) {
  return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}

[[nodiscard]] inline std::optional<double> difference(const std::optional<double>& a,
                                                      const std::optional<double>& b) {
  return a && b ? std::optional(*a - *b) : std::nullopt;
}

}  // namespace jouletree
