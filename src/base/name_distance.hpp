#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jouletree {

/// Letters to insert, drop or change to get from one text to the other.
[[nodiscard]] std::size_t wrong_letters(std::string_view a, std::string_view b);

/// How unlike two names are, to find what somebody may have meant: letters to insert, drop or
/// change, less what the beginnings have in common, because people rather get the end of a name
/// wrong. May be negative; only its order means something.
[[nodiscard]] std::int64_t name_distance(std::string_view wanted, std::string_view name);

/// The name that somebody misspelled or cut short; empty where none is like it. Dashes at the
/// beginning do not count.
[[nodiscard]] std::string likely_name(std::string_view wanted, std::span<const std::string> names);

}  // namespace jouletree
