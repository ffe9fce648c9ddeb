#pragma once

#include <string>
#include <string_view>

namespace jouletree::python {

/// The sentence with arguments of Python's functions in the place of the program's flags:
/// "--dim batch=8" becomes "dims={'batch': 8}". Flags of other programs stay as they are, and so do
/// those that Python has no argument for.
[[nodiscard]] std::string python_words(std::string_view text);

}  // namespace jouletree::python
