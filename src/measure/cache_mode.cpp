#include "jouletree/cache_mode.hpp"

namespace jouletree {

std::string_view name_of(CacheMode mode) {
  switch (mode) {
    case CacheMode::Hot: return "hot";
    case CacheMode::Model: return "model";
    case CacheMode::Cold: return "cold";
  }
  return "?";
}

}  // namespace jouletree
