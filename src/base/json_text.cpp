#include "base/json_text.hpp"

#include <nlohmann/json.hpp>

namespace jouletree {
namespace {

/// Every letter stands for itself. Without an early end, a processor looks at many letters at once.
bool is_plain(std::string_view text) {
  bool plain = true;
  for (const char letter : text)
    plain &= (letter >= ' ') & (letter < '\x7f') & (letter != '"') & (letter != '\\');
  return plain;
}

}  // namespace

void append_json_text(std::string& to, std::string_view text) {
  // Nearly all names are plain, and there are many.
  if (is_plain(text)) {
    to += '"';
    to += text;
    to += '"';
    return;
  }
  to += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace jouletree
