#pragma once

#include <string>
#include <string_view>

namespace jouletree::tree {

/// What to do instead of importing a table that a database was exported to.
inline constexpr std::string_view kAdviceForExports =
    "'jouletree db merge' adds one database to another, and 'jouletree db export' without --what "
    "writes the files that were imported";

/// Of a file that JouleTree wrote and that is no tree file: what it is and what to name in its
/// place. Empty for any other text.
[[nodiscard]] std::string other_json(std::string_view text);

}  // namespace jouletree::tree
