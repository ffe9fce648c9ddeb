#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/database/database.hpp"

namespace jouletree::store {

/// SourceRecord::header of a profile that was never a folder: the files that are kept of it.
[[nodiscard]] std::string kept_profile_header();
/// Names of the files of a folder, by position, as SourceRecord::header holds them; those of a kept
/// profile where it is empty. None where it is something else.
[[nodiscard]] std::vector<std::string> file_names(const std::string& header);
/// Where a file stands among them.
[[nodiscard]] std::optional<std::int64_t> file_position(const std::string& header,
                                                        std::string_view name);
/// A file of a folder, byte for byte. Nothing where the database does not have it.
[[nodiscard]] std::optional<std::string> source_file(Database& database, Id source,
                                                     const std::string& header,
                                                     std::string_view name);

}  // namespace jouletree::store
