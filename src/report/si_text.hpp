#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jouletree::report {

/// Four digits and the prefix that fits: "433.2 J", "1.234 kJ", "51.2 mW", "0 J".
[[nodiscard]] std::string si_text(double value, std::string_view unit);
/// "unknown" where it is.
[[nodiscard]] std::string si_text(const std::optional<double>& value, std::string_view unit);
/// "12.34 s", "3 min 20 s", "2 h 05 min".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace jouletree::report
