#pragma once

#include <filesystem>
#include <optional>

#include "runtime/engines.hpp"

namespace jouletree::runtime {

/// Looks for the shared library in this order: ONNXRUNTIME_ROOT (if set, nowhere else), the engine
/// folder, the dynamic linker's path. The first one there is decides, also if it is broken.
/// The library to open: a path, or the bare name for the dynamic linker. Nothing where the root
/// that the user chose holds none.
[[nodiscard]] std::optional<std::filesystem::path> onnx_runtime_library(
    const std::filesystem::path& engine_folder);

[[nodiscard]] EngineStatus find_onnx_runtime(const std::filesystem::path& engine_folder);

}  // namespace jouletree::runtime
