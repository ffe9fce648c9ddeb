#pragma once

#include "jouletree/inference.hpp"

namespace jouletree::model {

/// What is known of a graph before anybody says how large its open dimensions are or what its
/// inputs hold: dimensions that depend on either are unknown. `settled` is what was inferred for
/// one choice; it comes back where the file leaves nothing open.
[[nodiscard]] Inference open_inference(const Graph& graph, const Inference& settled);

}  // namespace jouletree::model
