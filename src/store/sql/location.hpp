#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "store/sql/connection.hpp"

namespace jouletree::store::sql {

/// Where a database is.
struct Location {
  Dialect dialect = Dialect::Sqlite;
  std::string target;  ///< A path, or a URL of PostgreSQL with all that it holds.
};

/// Stands before a path that is a database of SQLite, whether there is a file or not.
inline constexpr std::string_view kSqlitePrefix = "sqlite:";
/// True for URLs of PostgreSQL.
[[nodiscard]] bool names_server(std::string_view text);
/// True for "sqlite:FILE", "postgresql://…", "postgres://…", and for a file that SQLite wrote.
[[nodiscard]] bool names_database(const std::string& text);

/// Reads what users give: as names_database() says, or a path to a file that may not exist yet.
/// Empty: default_file(). Throws Error(BadInput) for a URL of another kind, and a file that holds
/// something else.
[[nodiscard]] Location parse_location(const std::string& text);

/// `jouletree/jouletree.sqlite` in the user's data folder: $XDG_DATA_HOME, else ~/.local/share.
[[nodiscard]] std::filesystem::path default_file();

/// For people: never with a password.
[[nodiscard]] std::string text_of(const Location& location);

/// A URL without the password that it may hold, wherever it holds it.
[[nodiscard]] std::string without_password(std::string_view url);

/// True where a URL has a password in which letters stand as they are that must be encoded (@, /,
/// ?,
/// #), so that others would take a part of it for the host.
[[nodiscard]] bool has_raw_password(std::string_view url);

/// Opens the plug-in of the database and a connection. Throws Error: Missing where there is no
/// plug-in or it cannot be loaded, BadInput and Failed as Connection does.
[[nodiscard]] std::unique_ptr<Connection> open_connection(const Location& location, Access access);

}  // namespace jouletree::store::sql
