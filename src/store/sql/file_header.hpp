#pragma once

#include <cstdint>
#include <filesystem>

namespace jouletree::store::sql {

enum class FileHeader : std::uint8_t {
  None,    ///< No file, an empty one, or one that cannot be read.
  Sqlite,  ///< What SQLite writes.
  Other,
};

/// What the first bytes of a file say. Files of SQLite stay open until the program ends: to close a
/// file takes away all locks that this process holds on it, also those of SQLite.
[[nodiscard]] FileHeader header_of(const std::filesystem::path& path);

}  // namespace jouletree::store::sql
