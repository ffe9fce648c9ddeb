#include "base/duration_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/display_width.hpp"
#include "jouletree/error.hpp"

namespace jouletree {
namespace {

struct TimeUnit {
  std::string_view name;
  double nanoseconds;
};

constexpr std::array kUnits = {TimeUnit{"us", 1e3}, TimeUnit{"ms", 1e6}, TimeUnit{"s", 1e9},
                               TimeUnit{"m", 60e9}, TimeUnit{"h", 3600e9}};

}  // namespace

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (parsed.ec != std::errc{}) return std::nullopt;
  const std::string_view unit(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  for (const TimeUnit& known : kUnits) {
    if (known.name != unit) continue;
    const double time_ns = number * known.nanoseconds;
    constexpr double kLongest = 9e18;
    // Written so that what is not a number is refused, too.
    if (!(time_ns >= 0 && time_ns < kLongest)) return std::nullopt;
    return std::chrono::nanoseconds(std::llround(time_ns));
  }
  return std::nullopt;
}

std::chrono::nanoseconds duration_of_flag(std::string_view flag, std::string_view text) {
  if (text == "0") return {};
  if (const auto time = parse_duration(text)) return *time;
  const std::string shown = printable(text);
  if (parse_duration(std::string(text) + "s")) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} {}: say the unit, for example {}s or 2m", flag, shown, shown));
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{} {}: give a time like 500ms, 60s or 2m (units: us, ms, s, m, h)", flag,
                          shown));
}

}  // namespace jouletree
