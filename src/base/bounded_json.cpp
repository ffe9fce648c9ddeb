#include "base/bounded_json.hpp"

#include <array>

namespace jouletree {

bool is_json_beyond_limits(std::string_view text) {
  std::array<std::size_t, kDeepestJson + 1> members{};  // By depth, of the innermost bracket there.
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        // To the end of the text; what is no JSON the parser will tell.
        for (++i; i < text.size() && text[i] != '"'; ++i)
          if (text[i] == '\\') ++i;
        break;
      case '[':
      case '{':
        if (++depth > kDeepestJson) return true;
        members[depth] = 0;
        break;
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      case ':':
        if (++members[depth] > kMostJsonMembers) return true;
        break;
      default: break;
    }
  }
  return false;
}

}  // namespace jouletree
