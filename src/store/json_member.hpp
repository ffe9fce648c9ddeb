#pragma once

#include <nlohmann/json.hpp>

namespace jouletree::store {

/// The member of an object; null if there is none, or no object.
inline const nlohmann::ordered_json& member(const nlohmann::ordered_json& object, const char* key) {
  static const nlohmann::ordered_json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

}  // namespace jouletree::store
