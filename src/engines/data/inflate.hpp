#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/zip_archive.hpp"

namespace jouletree::engines {

/// Throws Error(BadInput) where the bytes of a stored file are not those that were stored.
void check_stored(std::string_view bytes, const ZipEntry& entry, const std::string& origin);

/// Unpacks a deflated file of an archive into one of its own, piece by piece. Throws
/// Error(BadInput) for damaged bytes; `origin` names them.
void inflate_to(const std::filesystem::path& target, std::string_view packed, const ZipEntry& entry,
                const std::string& origin);

}  // namespace jouletree::engines
