#include "cli/roff.hpp"

namespace jouletree::cli {

std::string roff_text(std::string_view text) {
  std::string result;
  // A dot or an apostrophe that begins a line would be read as a request.
  if (!text.empty() && text.front() == '.') result += "\\&";
  for (const char letter : text) {
    switch (letter) {
      case '\\': result += "\\(rs"; break;
      case '-': result += "\\-"; break;
      case '\'': result += "\\(aq"; break;
      case '"': result += "\\(dq"; break;
      case '`': result += "\\(ga"; break;
      case '^': result += "\\(ha"; break;
      case '~': result += "\\(ti"; break;
      default: result += letter;
    }
  }
  // Plain terminals have no ellipsis, and some versions of troff complain.
  constexpr std::string_view kEllipsis = "…";
  for (std::size_t at = result.find(kEllipsis); at != std::string::npos;
       at = result.find(kEllipsis))
    result.replace(at, kEllipsis.size(), "...");
  return result;
}

std::string roff_bold(std::string_view text) { return "\\fB" + roff_text(text) + "\\fR"; }
std::string roff_italic(std::string_view text) { return "\\fI" + roff_text(text) + "\\fR"; }

}  // namespace jouletree::cli
