#pragma once

#include <nlohmann/json.hpp>

#include "jouletree/inference.hpp"

namespace jouletree {

/// Sensible random data for every input, as requests to an engine: floats between -1 and 1, masks
/// of ones, indices within the table that they look up, other integers 0 or 1; what the settings
/// say comes first. Throws Error(BadInput) for an input whose shape is not known.
[[nodiscard]] nlohmann::json input_descriptions(const Graph& graph, const Inference& inference,
                                                const InputSettings& settings);

}  // namespace jouletree
