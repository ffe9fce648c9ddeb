#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "store/database/database.hpp"

namespace jouletree::store {

/// A source as the database knows it.
struct StoredSource {
  Id id = 0;
  std::string kind;
  std::string format;
  std::string name;
  std::string header;  ///< Of a folder: names of its files, as JSON.
  /// It is a folder: a profile or a recording that was imported.
  [[nodiscard]] bool is_folder() const;
  /// By this program, into the database.
  [[nodiscard]] bool was_measured() const;
};

/// Sources that hold rows as they were imported, by name.
[[nodiscard]] std::vector<StoredSource> stored_sources(Database& database);
/// The one that is meant by its key or its name. Throws Error(BadInput) where there is none, and
/// where several have the name.
[[nodiscard]] StoredSource find_source(Database& database, const std::string& key_or_name);

/// Writes a source as it was imported, byte for byte: to a file, or to files in a folder. Each file
/// appears as a whole or not at all.
void write_source(Database& database, const StoredSource& source,
                  const std::filesystem::path& target);
/// Writes all of them below a folder, by their names.
void write_sources(Database& database, const std::vector<StoredSource>& sources,
                   const std::filesystem::path& folder,
                   const std::function<void(std::size_t done)>& progress);

/// Takes bytes one after the other.
using TakeBytes = std::function<void(std::string_view bytes)>;
/// What is exported in a form of its own.
enum class Exported : std::uint8_t { Operators, Models, Nodes };
/// A row for each measurement, or node, as CSV or as one JSON object per line.
void export_rows(Database& database, Exported what, bool as_json_lines, const TakeBytes& take);
/// Tree files: a line for each run, as it was imported or measured.
void export_runs(Database& database, const TakeBytes& take);

}  // namespace jouletree::store
