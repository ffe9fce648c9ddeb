#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jouletree/clock.hpp"

namespace jouletree::store {

/// "2024-03-01 17:05:09.250000+01:00": local time with its distance from UTC, as Python's
/// `datetime.fromisoformat` reads it.
[[nodiscard]] std::string date_text(WallTime time);
/// Reads this, and ISO 8601 with or without zone; without one it is local time.
[[nodiscard]] std::optional<WallTime> parse_date(std::string_view text);
/// "2024-03-01T16:05:09Z", as Environment::date: sorts as text.
[[nodiscard]] std::string utc_text(WallTime time);
[[nodiscard]] std::string utc_now();

}  // namespace jouletree::store
