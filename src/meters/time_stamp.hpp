#pragma once

#include <optional>
#include <string_view>

#include "jouletree/clock.hpp"
#include "jouletree/units.hpp"

namespace jouletree::meters {

/// A time as a meter's file has it: of the calendar, or counted from the file's own beginning.
struct Stamp {
  bool relative = false;
  std::chrono::nanoseconds time{};  ///< Since 1970 in UTC, or since the beginning.
};

/// Understands seconds, milli-, micro- and nanoseconds since 1970, seconds since a beginning, ISO
/// 8601 with or without zone, 31/12/2024 or 31.12.2024 with a time of day, and a time of day alone,
/// which is taken as today's. Without a zone it is local time. `today` gives the day of a time of
/// day alone.
[[nodiscard]] std::optional<Stamp> parse_stamp(std::string_view text, WallTime today);

/// A number with a decimal point or comma, space around it allowed; nothing for anything else.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text);

/// Without the space and the quotes around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace jouletree::meters
