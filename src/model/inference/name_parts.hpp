#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace jouletree::model {

[[nodiscard]] inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

[[nodiscard]] inline bool contains_any(std::string_view text,
                                       std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return contains(text, part); });
}

}  // namespace jouletree::model
