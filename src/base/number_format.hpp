#pragma once

#include <cstdint>
#include <string>

namespace jouletree {

/// "25,557,032".
[[nodiscard]] std::string with_separators(std::int64_t number);
/// Three or four significant digits and a decimal prefix: "4.09 G", "812", "0".
[[nodiscard]] std::string shortened(double number);
/// With a binary prefix: "97.7 MiB", "812 B".
[[nodiscard]] std::string shortened_bytes(double bytes);
/// "12.3 %".
[[nodiscard]] std::string percent(double ratio);

}  // namespace jouletree
