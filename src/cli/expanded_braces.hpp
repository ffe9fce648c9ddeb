#pragma once

#include <string>
#include <vector>

namespace jouletree::cli {

/// Shells make several words of NAME=1x3x{8,32}x{=} where nobody put it in quotes. Makes one
/// pattern of those that follow each other, have the same name, and are all combinations of the
/// sizes in which they differ; others stay as they are.
[[nodiscard]] std::vector<std::string> with_braces_again(const std::vector<std::string>& words);

}  // namespace jouletree::cli
