#pragma once

#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "store/sql/connection.hpp"

namespace jouletree::store::sql {

struct EndStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteStatement = std::unique_ptr<sqlite3_stmt, EndStatement>;

/// An open file with the statements that were prepared for it. Results share it, so that they may
/// end after the connection.
class SqliteDatabase {
 public:
  /// @param patience  How long to wait for other writers.
  SqliteDatabase(std::string path, Access access, std::chrono::milliseconds patience);
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;
  ~SqliteDatabase();

  [[nodiscard]] sqlite3* handle() const { return database_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] bool in_transaction() const { return sqlite3_get_autocommit(database_) == 0; }

  /// A statement that nobody else uses. Throws for SQL that cannot be used, or is more than one.
  [[nodiscard]] SqliteStatement take(std::string_view sql);
  /// Keeps it for the next one who asks.
  void give_back(SqliteStatement statement);
  /// Gives the file a write-ahead log. To be called before the first write, not at the opening:
  /// who opened it may find that the file is somebody else's, and must not have changed it.
  void expect_writes();
  /// Removes the file if this object made it, nobody else has it open and `use` gives no row.
  /// Nothing else may be called then.
  void discard_new(std::string_view use) noexcept;
  /// Statements without results of interest.
  void run(const std::string& sql);
  [[noreturn]] void fail(std::string_view sql) const;
  /// Throws where others have begun to write to a file that was opened as one that does not change.
  void check_unchanged() const;

 private:
  void open(bool unchanging);
  void prepare_use(std::chrono::milliseconds patience);
  void close() noexcept;
  /// Another program removed the file since it was opened.
  [[nodiscard]] bool was_removed() const;
  [[nodiscard]] bool gives_nothing(std::string_view query) const;

  std::string path_;
  Access access_;
  sqlite3* database_ = nullptr;
  bool unchanging_ = false;
  std::filesystem::file_time_type changed_{};  ///< Of such a file, when it was opened.
  bool has_log_ = false;
  bool is_new_ = false;  ///< It was not there before.
  std::unordered_map<std::string, SqliteStatement> idle_;
};

}  // namespace jouletree::store::sql
