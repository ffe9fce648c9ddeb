#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "store/database/database.hpp"

namespace jouletree::store {

/// What the sources do not say themselves.
struct ImportOptions {
  std::string origin{};   ///< From whom the data are.
  std::string machine{};  ///< That was measured.
  std::string engine{};   ///< That ran.
};

/// What became of a source.
struct ImportedCounts {
  std::int64_t rows = 0;  ///< Rows or lines of a file, files of a folder.
  std::int64_t operators = 0;
  std::int64_t models = 0;
  std::int64_t measurements = 0;
  std::int64_t runs = 0;
  std::int64_t nodes = 0;
  std::int64_t counts = 0;
  std::int64_t recordings = 0;
};

struct Imported {
  Id source = 0;
  std::string format;
  bool known = false;      ///< The same content was there already; nothing was changed.
  std::string known_as{};  ///< Its name there.
  ImportedCounts counts{};
  std::vector<std::string> notes{};  ///< What was not read, or not used; one sentence each.
};

/// A file, or a folder that is imported as a whole.
struct ImportPath {
  std::filesystem::path path;
  std::string name;  ///< Under which it is kept: below the folder that the user named.
  bool is_folder = false;
  std::string problem{};  ///< Why nothing can be imported from it; empty where it may be tried.
};

/// Files stand for themselves. Folders of profiles and recordings are one source each; of other
/// folders all tables, tree files and such folders in them, by name. What does not exist, and a
/// folder that holds nothing of that, comes with its problem.
[[nodiscard]] std::vector<ImportPath> paths_to_import(const std::vector<std::string>& given);

/// Is told how many bytes of how many are read.
using ImportProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Adds everything that a source holds, or nothing: one transaction. What it is follows from its
/// content. Throws Error(BadInput) that names file, line and column of what is not understood, and
/// as Database does.
[[nodiscard]] Imported import_source(Database& database, const ImportPath& path,
                                     const ImportOptions& options, const ImportProgress& progress);

}  // namespace jouletree::store
