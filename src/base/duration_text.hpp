#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace jouletree {

/// "500us", "100ms", "1.5s", "2m" or "1h"; nothing if it is none, or negative.
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

}  // namespace jouletree
