#include "store/sql/sqlite/sqlite_rows.hpp"

#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::store::sql {

SqliteRows::SqliteRows(std::shared_ptr<SqliteDatabase> database, SqliteStatement statement)
    : database_(std::move(database)), statement_(std::move(statement)) {
  // The first step now: what is wrong with a statement is told by whom it was given to, and what it
  // changes is changed, whether its rows are read or not.
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_->fail(sqlite3_sql(statement_.get()));
  has_row_ = code == SQLITE_ROW;
  const int count = sqlite3_column_count(statement_.get());
  for (int i = 0; i < count; ++i) columns_.emplace_back(sqlite3_column_name(statement_.get(), i));
}

SqliteRows::~SqliteRows() {
  if (statement_ != nullptr) database_->give_back(std::move(statement_));
}

bool SqliteRows::next() {
  if (!has_row_) return false;
  if (is_first_) {
    is_first_ = false;
    return true;
  }
  const int code = sqlite3_step(statement_.get());
  has_row_ = code == SQLITE_ROW;
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_->fail(sqlite3_sql(statement_.get()));
  if (has_row_) return true;
  database_->check_unchanged();
  // Readers that have all rows must not hold writers up.
  database_->give_back(std::move(statement_));
  return false;
}

Value SqliteRows::value(std::size_t column) const {
  if (!has_row_ || is_first_ || column >= columns_.size())
    throw Error(ErrorKind::BadInput, fmt::format("there is no row with a column {} here", column));
  sqlite3_stmt* const statement = statement_.get();
  const int index = static_cast<int>(column);
  const auto bytes = [&](const void* begin) {
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, index));
    return size == 0 ? std::string() : std::string(static_cast<const char*>(begin), size);
  };
  switch (sqlite3_column_type(statement, index)) {
    case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, index)};
    case SQLITE_FLOAT: return sqlite3_column_double(statement, index);
    case SQLITE_TEXT: return bytes(sqlite3_column_text(statement, index));
    case SQLITE_BLOB: return Blob{bytes(sqlite3_column_blob(statement, index))};
    default: return std::monostate();
  }
}

}  // namespace jouletree::store::sql
