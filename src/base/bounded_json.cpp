#include "base/bounded_json.hpp"

namespace jouletree {

bool is_nested_too_deeply(std::string_view json) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < json.size(); ++i) {
    switch (json[i]) {
      case '"':
        // To the end of the text; what is no JSON the parser will tell.
        for (++i; i < json.size() && json[i] != '"'; ++i)
          if (json[i] == '\\') ++i;
        break;
      case '[':
      case '{':
        if (++depth > kDeepestJson) return true;
        break;
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      default: break;
    }
  }
  return false;
}

}  // namespace jouletree
