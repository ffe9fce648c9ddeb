#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace jouletree::runtime {

/// "1.30.0", of a shared library whose symbols carry a version such as VERS_1.30.0 (`prefix` is
/// "VERS_"). Only reads the file. Nothing where it is no library for this program, and where its
/// symbols carry none.
[[nodiscard]] std::optional<std::string> symbol_version(const std::filesystem::path& file,
                                                        std::string_view prefix);

}  // namespace jouletree::runtime
