#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "store/database/database.hpp"

namespace jouletree::cli {

/// What --db may be: an empty text is more often a variable of the shell that is not set than the
/// user's own database.
[[nodiscard]] std::string refuse_empty_location(const std::string& location);

/// --db of the commands that use a database.
struct DatabaseOption {
  std::string location;

  void add_to(CLI::App& command);
  /// Throws as Database does.
  [[nodiscard]] store::Database open(store::sql::Access access) const;
  [[nodiscard]] std::unique_ptr<store::sql::Connection> connect(store::sql::Access access) const;
};

// The commands of `jouletree db`, one file each.
void add_db_doctor(CLI::App& db);
void add_db_export(CLI::App& db);
void add_db_import(CLI::App& db);
void add_db_merge(CLI::App& db);
void add_db_query(CLI::App& db);
void add_db_stats(CLI::App& db);

}  // namespace jouletree::cli
