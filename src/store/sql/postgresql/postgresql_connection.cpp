#include "store/sql/postgresql/postgresql_connection.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/sql/checked_parameters.hpp"
#include "store/sql/postgresql/placeholders.hpp"
#include "store/sql/postgresql/server_checks.hpp"
#include "store/sql/postgresql/server_pipeline.hpp"
#include "store/sql/postgresql/server_rows.hpp"
#include "store/sql/postgresql/server_session.hpp"

namespace jouletree::store::sql {
namespace {

/// What only asks, unless it calls for more inside; a read-only transaction refuses that.
bool begins_as_question(std::string_view sql) {
  constexpr std::array<std::string_view, 6> kWords = {"select", "with", "values",
                                                      "table",  "show", "explain"};
  return std::find(kWords.begin(), kWords.end(), first_word(sql)) != kWords.end();
}

/// May be true for statements that change nothing: those with such a word in a text.
bool may_change(std::string_view sql) {
  if (!begins_as_question(sql)) return true;
  constexpr std::array<std::string_view, 4> kWords = {"insert", "update", "delete", "merge"};
  std::string word;
  for (const char letter : sql) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 || letter == '_') {
      word += static_cast<char>(std::tolower(byte));
      continue;
    }
    if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return true;
    word.clear();
  }
  return false;
}

class PostgresqlConnection : public Connection {
 public:
  PostgresqlConnection(const std::string& url, Access access, const Backoff& backoff)
      : session_(std::make_shared<ServerSession>(url, access, backoff)) {}

  [[nodiscard]] Dialect dialect() const override { return Dialect::Postgresql; }
  [[nodiscard]] std::string place() const override { return session_->place(); }

  void run_script(std::string_view sql) override;
  std::int64_t execute(std::string_view sql, std::span<const Parameter> parameters) override;
  std::int64_t execute_all(std::string_view sql,
                           std::span<const std::vector<Parameter>> sets) override;
  [[nodiscard]] std::unique_ptr<Rows> query(std::string_view sql,
                                            std::span<const Parameter> parameters) override;

  void begin() override;
  void commit() override;
  void roll_back() noexcept override;

  [[nodiscard]] std::vector<std::string> integrity_problems() override {
    return server_problems(*this, session_->in_transaction());
  }

 private:
  [[nodiscard]] bool only_reads() const { return session_->access() == Access::Read; }
  [[noreturn]] void refuse_change(std::string_view sql) const {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} was opened to be read only: it can be asked, but '{}' is not a "
                            "question (SELECT, WITH, VALUES, TABLE, SHOW, EXPLAIN)",
                            place(), shortened(sql)));
  }
  /// One statement, up to its first result; inside a transaction of its own where it only reads.
  ServerResult start(std::string_view sql, std::span<const Parameter> parameters, bool streamed,
                     std::unique_ptr<ReadTransaction>& around);

  std::shared_ptr<ServerSession> session_;
};

void PostgresqlConnection::run_script(std::string_view sql) {
  if (only_reads()) refuse_change(sql);
  session_->run(std::string(sql));
  // Tables may look otherwise now.
  session_->forget_statements();
}

ServerResult PostgresqlConnection::start(std::string_view sql,
                                         std::span<const Parameter> parameters, bool streamed,
                                         std::unique_ptr<ReadTransaction>& around) {
  if (only_reads() && !begins_as_question(sql)) refuse_change(sql);
  for (const bool is_last : {false, true}) {
    around.reset();
    session_->get_ready();
    if (only_reads() && !session_->in_transaction())
      around = std::make_unique<ReadTransaction>(session_);
    ServerResult result = session_->send(sql, parameters, streamed);
    if (!is_last && !session_->in_transaction() && session_->is_outdated(result.get(), sql)) {
      around.reset();
      session_->end_results();
      session_->forget_statements();
      continue;
    }
    session_->check(result.get(), sql);
    return result;
  }
  return {};
}

std::int64_t PostgresqlConnection::execute(std::string_view sql,
                                           std::span<const Parameter> parameters) {
  std::unique_ptr<ReadTransaction> around;
  const ServerResult result = start(sql, parameters, false, around);
  session_->end_results();
  if (only_reads()) return 0;
  const std::string_view text = libpq().changed_rows(result.get());
  std::int64_t changed = 0;
  // A query tells how many rows it has.
  if (libpq().column_count(result.get()) == 0 || may_change(sql))
    std::from_chars(text.data(), text.data() + text.size(), changed);
  return changed;
}

std::int64_t PostgresqlConnection::execute_all(std::string_view sql,
                                               std::span<const std::vector<Parameter>> sets) {
  if (only_reads()) refuse_change(sql);
  if (sets.empty()) return 0;
  if (session_->in_transaction()) return run_pipeline(*session_, sql, sets);
  Transaction transaction(*this);
  const std::int64_t changed = run_pipeline(*session_, sql, sets);
  transaction.commit();
  return changed;
}

std::unique_ptr<Rows> PostgresqlConnection::query(std::string_view sql,
                                                  std::span<const Parameter> parameters) {
  std::unique_ptr<ReadTransaction> around;
  // What changes something is done with it before its rows are read.
  ServerResult first = start(sql, parameters, only_reads() || !may_change(sql), around);
  return std::make_unique<ServerRows>(session_, std::string(sql), std::move(first),
                                      std::move(around));
}

void PostgresqlConnection::begin() {
  if (session_->in_transaction())
    throw Error(ErrorKind::BadInput, "a transaction has begun already: they do not nest");
  // Readers see one state all the time, as with SQLite. Once they have read something, nothing can
  // make them write.
  session_->run(only_reads() ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1"
                             : "BEGIN");
  session_->set_in_transaction(true);
}

void PostgresqlConnection::commit() {
  if (only_reads()) return roll_back();
  session_->run("COMMIT");
  session_->set_in_transaction(false);
}

void PostgresqlConnection::roll_back() noexcept {
  if (!session_->in_transaction()) return;
  session_->free_link();
  session_->set_in_transaction(false);
  libpq().clear(libpq().exec(session_->link(), "ROLLBACK"));
}

}  // namespace

std::unique_ptr<Connection> open_postgresql(const std::string& url, Access access,
                                            const Backoff& backoff) {
  return std::make_unique<PostgresqlConnection>(url, access, backoff);
}

}  // namespace jouletree::store::sql
