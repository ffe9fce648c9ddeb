#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace jouletree::predict {

/// The settings of a method. Throws Error(BadInput) if they are not a JSON object.
[[nodiscard]] nlohmann::json config_object(const std::string& text);

}  // namespace jouletree::predict
