#pragma once

#include <charconv>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace jouletree::cli {

/// For CLI::Option::check: what is wrong with a number from 0 to 2^64 - 1. The parser of flags
/// takes the largest number for all that are larger, so that many seeds would be the same.
[[nodiscard]] inline std::string whole_number_problem(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec == std::errc{} && read.ptr == end) return "";
  constexpr std::size_t kShown = 24;
  return fmt::format("'{}' is no whole number from 0 to 18446744073709551615",
                     text.size() <= kShown ? text : text.substr(0, kShown) + "…");
}

}  // namespace jouletree::cli
