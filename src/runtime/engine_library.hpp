#pragma once

#include <filesystem>

#include "runtime/engine_plugin.hpp"

namespace jouletree::runtime {

/// Loads an engine plug-in for good. Throws Error(Missing) for a file that is none, that lacks a
/// library or that was built for another interface.
[[nodiscard]] const EnginePlugin& open_engine(const std::filesystem::path& file);

}  // namespace jouletree::runtime
