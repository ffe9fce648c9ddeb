#pragma once

#include <memory>

#include "engines/engine_list.hpp"

namespace jouletree::engines {

/// ONNX Runtime in a worker process. Parts are cut out of the graph that it runs after its fusions.
/// Throws Error(Missing) where it is not there.
[[nodiscard]] std::unique_ptr<Engine> open_onnxruntime(const EngineOptions& options);

/// Throws Error(BadInput) for whatever is no ONNX file, and says what it is.
[[nodiscard]] std::optional<std::int64_t> bytes_of_onnx_file(const std::filesystem::path& file);

}  // namespace jouletree::engines
