#pragma once

#include <map>
#include <string>
#include <string_view>

namespace jouletree::test {

/// The files of a folder in one text: a line "== NAME" stands above the content of each. What
/// stands above the first of them is the content of `first`.
using Sections = std::map<std::string, std::string_view, std::less<>>;
[[nodiscard]] Sections sections_of(std::string_view text, const std::string& first);
/// The same text again.
[[nodiscard]] std::string text_of(const std::map<std::string, std::string>& files);

}  // namespace jouletree::test
