#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/sql/connection.hpp"
#include "store/sql/sqlite/sqlite_database.hpp"

namespace jouletree::store::sql {

/// A statement at work. The database gets it back at the end.
class SqliteRows : public Rows {
 public:
  SqliteRows(std::shared_ptr<SqliteDatabase> database, SqliteStatement statement);
  SqliteRows(const SqliteRows&) = delete;
  SqliteRows& operator=(const SqliteRows&) = delete;
  ~SqliteRows() override;

  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }
  bool next() override;
  [[nodiscard]] Value value(std::size_t column) const override;

 private:
  std::shared_ptr<SqliteDatabase> database_;
  SqliteStatement statement_;
  std::vector<std::string> columns_;
  bool is_first_ = true;  ///< The first row was stepped to already.
  bool has_row_ = false;
};

}  // namespace jouletree::store::sql
