#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jouletree::store::sql {

struct NumberedSql {
  std::string text;
  std::size_t count = 0;
};

/// Writes every '?' as PostgreSQL's $1, $2, …; leaves those alone that stand in texts, names and
/// comments.
[[nodiscard]] NumberedSql numbered(std::string_view sql);

/// False where something but spaces and comments follows the first ';'.
[[nodiscard]] bool holds_one_statement(std::string_view sql);

/// The first word in lower case, behind spaces, comments and opening brackets. Empty where there is
/// none.
[[nodiscard]] std::string first_word(std::string_view sql);

}  // namespace jouletree::store::sql
