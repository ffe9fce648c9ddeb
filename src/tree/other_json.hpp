#pragma once

#include <string>
#include <string_view>

namespace jouletree::tree {

/// Of a file that JouleTree wrote and that is no tree file: what it is and what to name in its
/// place. Empty for any other text.
[[nodiscard]] std::string other_json(std::string_view text);

}  // namespace jouletree::tree
