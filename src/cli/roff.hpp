#pragma once

#include <string>
#include <string_view>

namespace jouletree::cli {

/// Text such that roff prints it letter by letter, also at the start of a line and in an argument
/// of a macro. Dashes stay dashes, so that flags can be copied out of the page.
[[nodiscard]] std::string roff_text(std::string_view text);
[[nodiscard]] std::string roff_bold(std::string_view text);
[[nodiscard]] std::string roff_italic(std::string_view text);

}  // namespace jouletree::cli
