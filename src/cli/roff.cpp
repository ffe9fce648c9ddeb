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
  return result;
}

std::string roff_bold(std::string_view text) { return "\\fB" + roff_text(text) + "\\fR"; }
std::string roff_italic(std::string_view text) { return "\\fI" + roff_text(text) + "\\fR"; }

}  // namespace jouletree::cli
