#pragma once

#include <filesystem>

#include "jouletree/inference.hpp"

namespace jouletree::model::torchscript {

/// Lets LibTorch load the file and run it once. Throws Error(Missing) without the engine.
[[nodiscard]] Graph read(const std::filesystem::path& path, const InputSettings& settings);

}  // namespace jouletree::model::torchscript
