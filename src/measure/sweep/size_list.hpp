#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jouletree/value_type.hpp"

namespace jouletree::measure {

/// Sizes as people write them: "50,100", "50:500:50" (first, last, step), "8..64..8", "8..10", and
/// lists of these. Ascending, each once. Throws Error(BadInput) that begins with `where`.
[[nodiscard]] std::vector<Dim> parse_sizes(std::string_view text, const std::string& where);

/// Whether a text means several sizes, or could.
[[nodiscard]] bool is_size_list(std::string_view text);

}  // namespace jouletree::measure
