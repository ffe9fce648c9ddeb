#pragma once

#include <memory>

#include "engines/engine_list.hpp"

namespace jouletree::engines {

/// ONNX Runtime in a worker process. Parts are cut out of the graph that it runs after its fusions.
/// Throws Error(Missing) where it is not there.
[[nodiscard]] std::unique_ptr<Engine> open_onnxruntime(const EngineOptions& options);

}  // namespace jouletree::engines
