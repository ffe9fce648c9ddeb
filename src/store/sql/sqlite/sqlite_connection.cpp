#include "store/sql/sqlite/sqlite_connection.hpp"

#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/sql/checked_parameters.hpp"
#include "store/sql/sqlite/sqlite_database.hpp"
#include "store/sql/sqlite/sqlite_error.hpp"
#include "store/sql/sqlite/sqlite_rows.hpp"

namespace jouletree::store::sql {
namespace {

/// Binds one value. Whoever binds says whether texts live long enough.
struct Bind {
  sqlite3_stmt* statement;
  int index;
  sqlite3_destructor_type lifetime;

  int operator()(std::monostate /*null*/) const { return sqlite3_bind_null(statement, index); }
  int operator()(std::int64_t number) const { return sqlite3_bind_int64(statement, index, number); }
  // SQLite would keep some negative zeros and not others.
  int operator()(double number) const {
    return sqlite3_bind_double(statement, index, number + 0.0);
  }
  // A null pointer would be NULL, not an empty text.
  int operator()(std::string_view text) const {
    return sqlite3_bind_text64(statement, index, text.empty() ? "" : text.data(), text.size(),
                               lifetime, SQLITE_UTF8);
  }
  int operator()(BlobView blob) const {
    return sqlite3_bind_blob64(statement, index, blob.bytes.empty() ? "" : blob.bytes.data(),
                               blob.bytes.size(), lifetime);
  }
};

class SqliteConnection : public Connection {
 public:
  SqliteConnection(const std::string& path, Access access, std::chrono::milliseconds patience)
      : database_(std::make_shared<SqliteDatabase>(path, access, patience)) {}

  [[nodiscard]] Dialect dialect() const override { return Dialect::Sqlite; }
  [[nodiscard]] std::string place() const override { return database_->path(); }

  void run_script(std::string_view sql) override {
    database_->expect_writes();
    database_->run(std::string(sql));
  }
  std::int64_t execute(std::string_view sql, std::span<const Parameter> parameters) override;
  std::int64_t execute_all(std::string_view sql,
                           std::span<const std::vector<Parameter>> sets) override;
  [[nodiscard]] std::unique_ptr<Rows> query(std::string_view sql,
                                            std::span<const Parameter> parameters) override;

  void begin() override {
    database_->expect_writes();
    database_->run(database_->access() == Access::Read ? "BEGIN" : "BEGIN IMMEDIATE");
  }
  void commit() override { database_->run("COMMIT"); }
  void roll_back() noexcept override {
    if (database_->in_transaction())
      sqlite3_exec(database_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }

  [[nodiscard]] std::vector<std::string> integrity_problems() override;
  void discard_new(std::string_view use) noexcept override { database_->discard_new(use); }

 private:
  void bind(std::string_view sql, sqlite3_stmt* statement, std::span<const Parameter> parameters,
            sqlite3_destructor_type lifetime) const;
  std::int64_t step_through(std::string_view sql, sqlite3_stmt* statement) const;
  [[nodiscard]] std::vector<std::vector<std::string>> rows_of_check(const char* check) const;

  std::shared_ptr<SqliteDatabase> database_;
};

void SqliteConnection::bind(std::string_view sql, sqlite3_stmt* statement,
                            std::span<const Parameter> parameters,
                            sqlite3_destructor_type lifetime) const {
  check_parameters(sql, static_cast<std::size_t>(sqlite3_bind_parameter_count(statement)),
                   parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (std::visit(Bind{statement, static_cast<int>(i) + 1, lifetime}, parameters[i]) != SQLITE_OK)
      database_->fail(sql);
  }
}

/// Returns how many rows it changed. SQLite's own number is that of the last statement that could
/// change any.
std::int64_t SqliteConnection::step_through(std::string_view sql, sqlite3_stmt* statement) const {
  const sqlite3_int64 before = sqlite3_total_changes64(database_->handle());
  int code = SQLITE_ROW;
  while (code == SQLITE_ROW) code = sqlite3_step(statement);
  if (code != SQLITE_DONE) database_->fail(sql);
  sqlite3_reset(statement);
  return sqlite3_total_changes64(database_->handle()) == before
             ? 0
             : sqlite3_changes64(database_->handle());
}

std::int64_t SqliteConnection::execute(std::string_view sql,
                                       std::span<const Parameter> parameters) {
  database_->expect_writes();
  SqliteStatement statement = database_->take(sql);
  bind(sql, statement.get(), parameters, SQLITE_STATIC);
  const std::int64_t changed = step_through(sql, statement.get());
  database_->give_back(std::move(statement));
  return changed;
}

std::int64_t SqliteConnection::execute_all(std::string_view sql,
                                           std::span<const std::vector<Parameter>> sets) {
  if (!database_->in_transaction() && sets.size() > 1) {
    Transaction transaction(*this);
    const std::int64_t changed = execute_all(sql, sets);
    transaction.commit();
    return changed;
  }
  database_->expect_writes();
  SqliteStatement statement = database_->take(sql);
  std::int64_t changed = 0;
  for (const std::vector<Parameter>& parameters : sets) {
    bind(sql, statement.get(), parameters, SQLITE_STATIC);
    changed += step_through(sql, statement.get());
  }
  database_->give_back(std::move(statement));
  return changed;
}

std::unique_ptr<Rows> SqliteConnection::query(std::string_view sql,
                                              std::span<const Parameter> parameters) {
  SqliteStatement statement = database_->take(sql);
  if (sqlite3_stmt_readonly(statement.get()) == 0) database_->expect_writes();
  bind(sql, statement.get(), parameters, SQLITE_TRANSIENT);  // NOLINT: SQLite's own cast
  return std::make_unique<SqliteRows>(database_, std::move(statement));
}

/// A check that itself stumbles over the damage tells that.
std::vector<std::vector<std::string>> SqliteConnection::rows_of_check(const char* check) const {
  std::vector<std::vector<std::string>> rows;
  const auto keep = [](void* kept, int count, char** values, char** /*names*/) {
    std::vector<std::string>& row =
        static_cast<std::vector<std::vector<std::string>>*>(kept)->emplace_back();
    for (int i = 0; i < count; ++i) row.emplace_back(values[i] == nullptr ? "?" : values[i]);
    return 0;
  };
  const int code = sqlite3_exec(database_->handle(), check, keep, &rows, nullptr);
  if ((code & 0xFF) == SQLITE_CORRUPT) {
    rows.push_back({sqlite3_errmsg(database_->handle())});
  } else if (code != SQLITE_OK) {
    database_->fail(check);
  }
  return rows;
}

std::vector<std::string> SqliteConnection::integrity_problems() {
  std::vector<std::string> problems;
  for (const std::vector<std::string>& row : rows_of_check("PRAGMA integrity_check"))
    if (row.front() != "ok") problems.push_back(row.front());
  if (!problems.empty()) return problems;
  for (const std::vector<std::string>& row : rows_of_check("PRAGMA foreign_key_check")) {
    problems.push_back(row.size() < 3 ? row.front()
                                      : fmt::format("row {} of {} refers to a row of {} that is "
                                                    "not there",
                                                    row[1], row[0], row[2]));
  }
  return problems;
}

}  // namespace

std::unique_ptr<Connection> open_sqlite(const std::string& path, Access access,
                                        std::chrono::milliseconds patience) {
  return std::make_unique<SqliteConnection>(path, access, patience);
}

}  // namespace jouletree::store::sql
