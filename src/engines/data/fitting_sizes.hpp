#pragma once

#include <functional>

#include "jouletree/inference.hpp"

namespace jouletree::engines {

/// Lets an engine try the sizes of an inference; `run` throws Error where it refuses them. Sizes of
/// open dimensions that infer() chose are then chosen anew, a few times. The settings get all sizes
/// of the inference that is returned. Throws what the engine said, and which sizes were chosen.
[[nodiscard]] Inference fitting_sizes(const Graph& graph, InputSettings& settings,
                                      Inference inference,
                                      const std::function<void(const Inference&)>& run);

}  // namespace jouletree::engines
