#pragma once

#include <string>
#include <string_view>

#include "base/text_buffer.hpp"

namespace jouletree {

/// Appends a text as JSON writes it, in quotes. Bytes that are not UTF-8 are replaced.
void append_json_text(std::string& to, std::string_view text);

/// The same into a buffer that has room for longest_json_text().
void add_json_text(TextBuffer& to, std::string_view text);
/// The quotes, and six letters for one: \u0001.
[[nodiscard]] constexpr std::size_t longest_json_text(std::string_view text) {
  return 2 + 6 * text.size();
}

}  // namespace jouletree
