#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace jouletree {

/// A count with its noun: "1 run", "24,597 nodes". `plural` is for nouns that do not just take an
/// s: number_of(2, "entry", "entries").
[[nodiscard]] std::string number_of(std::int64_t count, std::string_view noun,
                                    std::string_view plural = "");
template <std::unsigned_integral Count>
[[nodiscard]] std::string number_of(Count count, std::string_view noun,
                                    std::string_view plural = "") {
  return number_of(static_cast<std::int64_t>(count), noun, plural);
}

/// The word that agrees with a count: agreeing(count, "is", "are").
template <std::integral Count>
[[nodiscard]] constexpr std::string_view agreeing(Count count, std::string_view singular,
                                                  std::string_view plural) {
  return count == 1 ? singular : plural;
}

}  // namespace jouletree
