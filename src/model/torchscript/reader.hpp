#pragma once

#include <filesystem>

#include "jouletree/inference.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::model::torchscript {

/// Lets LibTorch load the file and run it once. Throws Error(Missing) without the engine.
[[nodiscard]] Graph read(const std::filesystem::path& path, const InputSettings& settings);

/// What an engine must know about the inputs of the file. Those whose names sound like indices hold
/// whole numbers unless the settings say otherwise.
[[nodiscard]] runtime::RunRequest request_for(const std::filesystem::path& path,
                                              const InputSettings& settings);

}  // namespace jouletree::model::torchscript
