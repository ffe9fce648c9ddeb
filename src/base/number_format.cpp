#include "base/number_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace jouletree {
namespace {

/// Three significant digits, as many behind the point as are left.
std::string three_digits(double number) {
  if (number >= 99.95) return fmt::format("{:.0f}", number);
  if (number >= 9.995) return fmt::format("{:.1f}", number);
  return fmt::format("{:.2f}", number);
}

template <std::size_t N>
std::string with_prefix(double number, double step, const std::array<const char*, N>& prefixes) {
  std::size_t power = 0;
  // 999.5 would be printed as 1000 of the smaller unit.
  while (power + 1 < N && number >= step - 0.5) {
    number /= step;
    ++power;
  }
  if (power == 0) return fmt::format("{:.0f}{}", number, prefixes[0]);
  return three_digits(number) + prefixes[power];
}

}  // namespace

std::string with_separators(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string shortened(double number) {
  constexpr std::array<const char*, 7> kPrefixes = {"", " k", " M", " G", " T", " P", " E"};
  return with_prefix(number, 1000.0, kPrefixes);
}

std::string shortened_bytes(double bytes) {
  constexpr std::array<const char*, 7> kPrefixes = {" B",   " KiB", " MiB", " GiB",
                                                    " TiB", " PiB", " EiB"};
  return with_prefix(bytes, 1024.0, kPrefixes);
}

std::string percent(double ratio) {
  // Never round something that is missing up to everything.
  if (ratio == 1.0) return "100 %";
  return fmt::format("{:.1f} %", ratio < 1.0 ? std::min(100 * ratio, 99.9) : 100 * ratio);
}

}  // namespace jouletree
