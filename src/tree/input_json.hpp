#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/inference.hpp"

namespace jouletree::tree {

/// A list of inputs, each with its shape, and its dimensions with name, size and who chose it.
[[nodiscard]] nlohmann::ordered_json inputs_json(const std::vector<InputShape>& inputs);
/// The other way round. Throws nlohmann::json::exception for what inputs_json did not write.
[[nodiscard]] std::vector<InputShape> inputs_of(const nlohmann::ordered_json& json);

}  // namespace jouletree::tree
