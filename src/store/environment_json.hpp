#pragma once

#include <nlohmann/json.hpp>

#include "measure/environment.hpp"

namespace jouletree::store {

/// The content of environment.json. What the machine does not tell is null.
[[nodiscard]] nlohmann::ordered_json environment_json(const measure::Environment& environment);
/// Reads it. What is missing, or of another type, is not known.
[[nodiscard]] measure::Environment environment_in(const nlohmann::ordered_json& json);

}  // namespace jouletree::store
