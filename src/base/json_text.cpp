#include "base/json_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace jouletree {
namespace {

bool stands_for_itself(char letter) {
  return letter >= ' ' && letter < '\x7f' && letter != '"' && letter != '\\';
}

}  // namespace

void append_json_text(std::string& to, std::string_view text) {
  // Nearly all names are plain, and there are many.
  if (std::all_of(text.begin(), text.end(), stands_for_itself)) {
    to += '"';
    to += text;
    to += '"';
    return;
  }
  to += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace jouletree
