#pragma once

#include <cstdint>
#include <string_view>

namespace jouletree {

/// How unlike two names are, to find what somebody may have meant: letters to insert, drop or
/// change, less what the beginnings have in common, because people rather get the end of a name
/// wrong. May be negative; only its order means something.
[[nodiscard]] std::int64_t name_distance(std::string_view wanted, std::string_view name);

}  // namespace jouletree
