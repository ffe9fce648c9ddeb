#include "store/sql/location.hpp"

#include <dlfcn.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include <fmt/format.h>

#include "base/shared_library.hpp"
#include "jouletree/error.hpp"
#include "runtime/engine_folder.hpp"
#include "store/sql/driver.hpp"
#include "store/sql/file_header.hpp"

namespace jouletree::store::sql {
namespace {

constexpr std::array<std::string_view, 2> kPostgresqlPrefixes = {"postgresql://", "postgres://"};
constexpr const char* kPossible =
    "give a file of SQLite (FILE or sqlite:FILE) or postgresql://USER@HOST/NAME";

/// "mysql" of "mysql://host/x", "postgresql" of "postgresql:x"; empty where the text may be a path.
std::string_view foreign_scheme(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view scheme = text.substr(0, colon);
  const bool is_word = std::all_of(scheme.begin(), scheme.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '+' || letter == '.' || letter == '-';
  });
  if (!is_word) return {};
  if (text.substr(colon).starts_with("://")) return scheme;
  // A colon alone may belong to the name of a file.
  constexpr std::array<std::string_view, 6> kDatabases = {"postgresql", "postgres", "mysql",
                                                          "mariadb",    "duckdb",   "file"};
  return std::find(kDatabases.begin(), kDatabases.end(), scheme) != kDatabases.end()
             ? scheme
             : std::string_view();
}

/// "host=… dbname=…", as psql takes it.
bool is_keyword_text(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords = {
      "host=", "hostaddr=", "port=", "dbname=", "user=", "password=", "service="};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

Location file_location(const std::string& path) {
  std::error_code unreadable;
  if (std::filesystem::is_directory(path, unreadable)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} is a folder, not a database: name a file in it", path));
  }
  if (header_of(path) == FileHeader::Other) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} is not a database of SQLite: name another file", path));
  }
  return {Dialect::Sqlite, path};
}

struct DriverFile {
  const char* file;
  const char* title;
  const char* to_build;
  const char* to_run;
};

constexpr DriverFile kSqliteFile = {"libjouletree_sqlite.so", "SQLite", "libsqlite3-dev",
                                    "libsqlite3-0"};
constexpr DriverFile kPostgresqlFile = {"libjouletree_postgresql.so", "PostgreSQL", "libpq-dev",
                                        "libpq5"};

/// Opened by those who need it: all other commands start sooner without the library behind it.
const Driver& open_driver(const DriverFile& wanted) {
  const auto refuse = [&](const std::string& reason) {
    throw Error(ErrorKind::Missing,
                fmt::format("databases of {} cannot be used: {}", wanted.title, reason));
  };
  const std::filesystem::path file = runtime::engine_folder() / wanted.file;
  std::error_code unreadable;
  if (!std::filesystem::exists(file, unreadable)) {
    refuse(fmt::format("there is no {}; install {} and build JouleTree anew", file.string(),
                       wanted.to_build));
  }
  const auto [library, problem] = open_shared_library(file.string());
  if (library == nullptr) refuse(fmt::format("{}; install {}", problem, wanted.to_run));
  const auto entry =
      reinterpret_cast<DriverEntry>(::dlsym(library, kDriverEntry));  // NOLINT: dlsym
  if (entry == nullptr) refuse(fmt::format("{} is not a plug-in for it", file.string()));
  const Driver* const driver = entry();
  if (driver->interface != kDriverInterface) {
    refuse(fmt::format("{} has interface {}, this program needs {}; install or build both anew",
                       file.string(), driver->interface, kDriverInterface));
  }
  return *driver;
}

const Driver& driver_of(Dialect dialect) {
  if (dialect == Dialect::Sqlite) {
    static const Driver& opened = open_driver(kSqliteFile);
    return opened;
  }
  static const Driver& opened = open_driver(kPostgresqlFile);
  return opened;
}

std::filesystem::path home_folder() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
  const passwd* const user = ::getpwuid(::getuid());
  if (user == nullptr || user->pw_dir == nullptr) {
    throw Error(ErrorKind::Missing,
                "there is no home folder for the database: set HOME or XDG_DATA_HOME, or name a "
                "file");
  }
  return user->pw_dir;
}

}  // namespace

bool names_server(std::string_view text) {
  return std::any_of(kPostgresqlPrefixes.begin(), kPostgresqlPrefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

bool names_database(const std::string& text) {
  return text.starts_with(kSqlitePrefix) || names_server(text) ||
         header_of(text) == FileHeader::Sqlite;
}

Location parse_location(const std::string& text) {
  if (text.empty()) return {Dialect::Sqlite, default_file().string()};
  if (names_server(text)) return {Dialect::Postgresql, text};
  if (text.starts_with(kSqlitePrefix)) {
    const std::string path = text.substr(kSqlitePrefix.size());
    // Whether "sqlite:///x" means /x or x depends on whom one asks.
    if (path.starts_with("//") && path.find_first_not_of('/') != std::string::npos) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("'{}' means different files to different programs: write sqlite:{}",
                              text, path.substr(path.find_first_not_of('/') - 1)));
    }
    if (path.empty() || path.starts_with("//")) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("'{}' names no file: write sqlite:FILE or just FILE", text));
    }
    return file_location(path);
  }
  if (is_keyword_text(text)) {
    throw Error(ErrorKind::BadInput,
                "a database of PostgreSQL is named by a URL, not by words such as 'host=': write "
                "postgresql://USER@HOST:PORT/NAME");
  }
  std::error_code unreadable;
  if (const std::string_view scheme = foreign_scheme(text);
      !scheme.empty() && !std::filesystem::exists(text, unreadable)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("'{}' is not a database that JouleTree can use: {}",
                            without_password(text), kPossible));
  }
  return file_location(text);
}

std::filesystem::path default_file() {
  const char* const chosen = std::getenv("XDG_DATA_HOME");
  // A relative one is to be ignored, says the standard of these folders.
  const std::filesystem::path data = chosen != nullptr && *chosen == '/'
                                         ? std::filesystem::path(chosen)
                                         : home_folder() / ".local/share";
  return data / "jouletree/jouletree.sqlite";
}

std::unique_ptr<Connection> open_connection(const Location& location, Access access) {
  return driver_of(location.dialect).open(location.target, access);
}

}  // namespace jouletree::store::sql
