#pragma once

#include <string_view>

namespace jouletree::report {

/// The page without its data, which belong between the two.
struct PageParts {
  std::string_view before_data;
  std::string_view after_data;
};

/// Made from web/ when the program was built. Throws Error(Missing) in a program built without.
[[nodiscard]] PageParts page_parts();

}  // namespace jouletree::report
