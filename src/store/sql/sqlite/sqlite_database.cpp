#include "store/sql/sqlite/sqlite_database.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/sql/checked_parameters.hpp"
#include "store/sql/sqlite/sqlite_error.hpp"

namespace jouletree::store::sql {
namespace {

/// More than the program ever says; queries of users come and go.
constexpr std::size_t kMostIdle = 128;

bool is_reading_pragma(std::string_view name) {
  constexpr std::array<std::string_view, 11> kNames = {
      "foreign_key_check", "foreign_key_list", "function_list",   "index_info",
      "index_list",        "index_xinfo",      "integrity_check", "quick_check",
      "table_info",        "table_list",       "table_xinfo"};
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view known) {
    return known.size() == name.size() &&
           sqlite3_strnicmp(known.data(), name.data(), static_cast<int>(name.size())) == 0;
  });
}

/// What a connection may do that only reads.
int allow_reading(void* /*unused*/, int action, const char* first, const char* second,
                  const char* /*database*/, const char* /*trigger*/) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION: return SQLITE_OK;
    // Without a value it only tells one.
    case SQLITE_PRAGMA:
      return second == nullptr || is_reading_pragma(first) ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
  }
}

std::filesystem::path folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

bool has_log(const std::string& path) {
  std::error_code absent;
  const auto bytes = std::filesystem::file_size(path + "-wal", absent);
  return !absent && bytes > 0;
}

/// Whoever writes has these files beside it.
bool is_in_use(const std::string& path) {
  std::error_code absent;
  return std::filesystem::exists(path + "-shm", absent) || has_log(path);
}

std::filesystem::file_time_type changed_at(const std::string& path) {
  std::error_code absent;
  return std::filesystem::last_write_time(path, absent);
}

bool can_write_folder(const std::string& path) {
  return ::access(folder_of(path).c_str(), W_OK) == 0;
}

void make_folder(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(folder_of(path), problem);
  if (problem) {
    throw Error(ErrorKind::BadInput,
                fmt::format("cannot make the folder {} for a database: {}; name another file",
                            folder_of(path).string(), problem.message()));
  }
}

void check_exists(const std::string& path) {
  std::error_code unreadable;
  if (std::filesystem::exists(path, unreadable)) return;
  throw Error(ErrorKind::BadInput,
              unreadable ? fmt::format("cannot open {}: {}", path, unreadable.message())
                         : fmt::format("there is no database {}: check the name", path));
}

/// The URI of a file that nobody changes, percent-encoded where SQLite asks for it.
std::string unchanging_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char letter : path) {
    if (letter == '%' || letter == '?' || letter == '#') {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    } else {
      uri += letter;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

SqliteDatabase::SqliteDatabase(std::string path, Access access, std::chrono::milliseconds patience)
    : path_(std::move(path)), access_(access == Access::Glance ? Access::Read : access) {
  if (access == Access::Create) {
    make_folder(path_);
    std::error_code unreadable;
    is_new_ = !std::filesystem::exists(path_, unreadable) && !unreadable;
  } else {
    check_exists(path_);
  }
  try {
    open(access == Access::Glance && !is_in_use(path_));
    prepare_use(patience);
    if (was_removed()) {  // By whoever made it and had nothing to keep.
      close();
      open(false);
      prepare_use(patience);
    }
  } catch (...) {
    close();
    throw;
  }
}

SqliteDatabase::~SqliteDatabase() { close(); }

void SqliteDatabase::close() noexcept {
  idle_.clear();
  sqlite3_close_v2(std::exchange(database_, nullptr));
}

void SqliteDatabase::open(bool unchanging) {
  int flags = SQLITE_OPEN_NOMUTEX;
  if (access_ == Access::Read) flags |= SQLITE_OPEN_READONLY;
  if (access_ != Access::Read) flags |= SQLITE_OPEN_READWRITE;
  if (access_ == Access::Create) flags |= SQLITE_OPEN_CREATE;
  // These names mean something else to SQLite.
  std::string name = path_.starts_with(":") || path_.starts_with("file:") ? "./" + path_ : path_;
  unchanging_ = unchanging;
  if (unchanging) {
    flags |= SQLITE_OPEN_URI;
    name = unchanging_uri(name);
    changed_ = changed_at(path_);
  }
  const int code = sqlite3_open_v2(name.c_str(), &database_, flags, nullptr);
  if (database_ == nullptr) throw Error(ErrorKind::Failed, "there is not enough memory for SQLite");
  if (code != SQLITE_OK) fail({});
  sqlite3_extended_result_codes(database_, 1);
}

void SqliteDatabase::prepare_use(std::chrono::milliseconds patience) {
  sqlite3_busy_timeout(database_, static_cast<int>(patience.count()));
  // The first look into the file, and at the log of what was written to it.
  int code = sqlite3_exec(database_, "PRAGMA schema_version", nullptr, nullptr, nullptr);
  const int kind = code & 0xFF;
  if (access_ == Access::Read && (kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY)) {
    // Readers, too, need a file beside it, for which there may be no permission.
    if (has_log(path_)) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{0} cannot be read here: changes are waiting in {0}-wal, and SQLite "
                              "cannot write to the folder; copy both files to a folder where you "
                              "can write",
                              path_));
    }
    if (!can_write_folder(path_)) {
      sqlite3_close_v2(std::exchange(database_, nullptr));
      open(true);
      code = sqlite3_exec(database_, "PRAGMA schema_version", nullptr, nullptr, nullptr);
    }
  }
  if (code != SQLITE_OK) fail({});
  sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // 64 MiB of pages. Not mapped: that reads files that are larger a tenth faster, but a disk that
  // fails, or a file that somebody cuts off, would end the program instead of an error.
  run("PRAGMA cache_size = -65536; PRAGMA foreign_keys = ON");
  if (access_ == Access::Read) {
    run("PRAGMA query_only = ON");
    sqlite3_set_authorizer(database_, allow_reading, nullptr);
    return;
  }
  // With a log, only FULL lets a commit survive a loss of power.
  run("PRAGMA synchronous = FULL");
}

void SqliteDatabase::expect_writes() {
  if (has_log_ || access_ == Access::Read || in_transaction()) return;
  // Readers and a writer at once.
  run("PRAGMA journal_mode = WAL");
  has_log_ = true;
  if (was_removed()) {
    throw Error(ErrorKind::Failed,
                fmt::format("{} was removed by another program meanwhile: repeat", path_));
  }
}

bool SqliteDatabase::was_removed() const {
  int moved = 0;
  return access_ == Access::Create &&
         sqlite3_file_control(database_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
         moved != 0;
}

bool SqliteDatabase::gives_nothing(std::string_view query) const {
  sqlite3_stmt* made = nullptr;
  const int code =
      sqlite3_prepare_v2(database_, query.data(), static_cast<int>(query.size()), &made, nullptr);
  const SqliteStatement statement(made);
  return code == SQLITE_OK && sqlite3_step(made) == SQLITE_DONE;
}

void SqliteDatabase::discard_new(std::string_view use) noexcept {
  if (!is_new_ || database_ == nullptr || in_transaction() || !gives_nothing(use)) return;
  idle_.clear();
  sqlite3_busy_timeout(database_, 0);
  // Whoever uses a log holds a lock, without which it cannot go; and from here on nobody gets one.
  const auto done = [&](const char* sql) {
    return sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  };
  const bool is_alone = done("PRAGMA locking_mode = EXCLUSIVE") &&
                        done("PRAGMA journal_mode = DELETE") && done("BEGIN EXCLUSIVE") &&
                        !is_in_use(path_) && gives_nothing(use);
  std::error_code ignored;
  if (is_alone) std::filesystem::remove(path_, ignored);
  close();
}

SqliteStatement SqliteDatabase::take(std::string_view sql) {
  if (auto known = idle_.find(std::string(sql)); known != idle_.end()) {
    SqliteStatement statement = std::move(known->second);
    idle_.erase(known);
    return statement;
  }
  if (sql.empty()) sql = " ";
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &made, &rest);
  SqliteStatement statement(made);
  if (code != SQLITE_OK) fail(sql);
  if (statement == nullptr)
    throw Error(ErrorKind::BadInput, "there is no statement in the SQL text");
  // Only what is nothing may follow: spaces, comments.
  const char* const end = sql.data() + sql.size();
  while (rest < end) {
    sqlite3_stmt* second = nullptr;
    const int second_code =
        sqlite3_prepare_v3(database_, rest, static_cast<int>(end - rest), 0, &second, &rest);
    const SqliteStatement more(second);
    if (more != nullptr || second_code != SQLITE_OK) {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("'{}' holds more than one statement: give one at a time", shortened(sql)));
    }
  }
  return statement;
}

void SqliteDatabase::give_back(SqliteStatement statement) {
  sqlite3_reset(statement.get());
  sqlite3_clear_bindings(statement.get());
  if (idle_.size() >= kMostIdle) idle_.clear();
  idle_.insert_or_assign(sqlite3_sql(statement.get()), std::move(statement));
}

void SqliteDatabase::run(const std::string& sql) {
  if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
}

void SqliteDatabase::fail(std::string_view sql) const {
  throw_sqlite_error(database_, path_, access_, sql);
}

void SqliteDatabase::check_unchanged() const {
  if (unchanging_ && (has_log(path_) || changed_at(path_) != changed_)) {
    throw Error(
        ErrorKind::Failed,
        fmt::format("another program began to write to {} while it was read: repeat", path_));
  }
}

}  // namespace jouletree::store::sql
