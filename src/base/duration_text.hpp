#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace jouletree {

/// "500us", "100ms", "1.5s", "2m" or "1h"; nothing if it is none, or negative.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// The time that a flag was given; "0" needs no unit. Throws Error(BadInput) that names the flag,
/// and says so where only the unit is missing.
[[nodiscard]] std::chrono::nanoseconds duration_of_flag(std::string_view flag,
                                                        std::string_view text);

}  // namespace jouletree
