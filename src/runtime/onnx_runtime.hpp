#pragma once

#include <filesystem>
#include <optional>

#include "runtime/engines.hpp"

namespace jouletree::runtime {

/// Looks for the shared library in this order: ONNXRUNTIME_ROOT (if set, nowhere else), the engine
/// folder, the folder that was set, the dynamic linker's path. The first one there is decides, also
/// if it is broken. In a folder it may have its version in its name, as Python's package
/// onnxruntime has it; of several the newest is taken.
/// The library to open: a path, or the bare name for the dynamic linker. Nothing where the root
/// that the user chose holds none.
[[nodiscard]] std::optional<std::filesystem::path> onnx_runtime_library(
    const std::filesystem::path& engine_folder);

/// For programs that know where else the library may be. To be called before anything else.
void set_onnx_runtime_folder(const std::filesystem::path& folder);

[[nodiscard]] EngineStatus find_onnx_runtime(const std::filesystem::path& engine_folder);

/// "1.30.0", of that library, read from its file: nothing of it is loaded or run. Nothing where
/// there is none, and where the file does not tell.
[[nodiscard]] std::optional<std::string> onnx_runtime_version(
    const std::filesystem::path& engine_folder);

}  // namespace jouletree::runtime
