#pragma once

#include <string>
#include <string_view>

namespace jouletree {

/// Appends a text as JSON writes it, in quotes. Bytes that are not UTF-8 are replaced.
void append_json_text(std::string& to, std::string_view text);

}  // namespace jouletree
