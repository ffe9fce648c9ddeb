#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jouletree {

/// Columns that a UTF-8 text takes on a terminal: two for wide letters and pictures, none for marks
/// that combine with the letter before. A byte that is no UTF-8 takes one.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// The text with control characters replaced, so that a name cannot steer the terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// A name of at most `columns` columns: "encoder…attention.query". White space at its beginning
/// stays, and more of the end than of the beginning, because ends tell names apart.
[[nodiscard]] std::string shortened_name(std::string_view text, std::size_t columns);

/// The first words of the text that fit, at least one; they are taken off the text.
[[nodiscard]] std::string take_words(std::string_view& text, std::size_t columns);

}  // namespace jouletree
