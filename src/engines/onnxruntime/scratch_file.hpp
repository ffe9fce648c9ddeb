#pragma once

#include <filesystem>
#include <string_view>

namespace jouletree::engines {

/// Throws Error(Failed) where it cannot be written.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace jouletree::engines
