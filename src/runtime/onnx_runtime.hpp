#pragma once

#include <filesystem>

#include "runtime/engines.hpp"

namespace jouletree {

/// Looks for the shared library in this order: ONNXRUNTIME_ROOT (if set, nowhere else), the engine
/// folder, the dynamic linker's path. The first one there is decides, also if it is broken.
[[nodiscard]] EngineStatus find_onnx_runtime(const std::filesystem::path& engine_folder);

}  // namespace jouletree
