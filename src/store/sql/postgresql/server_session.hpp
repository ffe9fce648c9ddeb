#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "store/sql/connection.hpp"
#include "store/sql/postgresql/sent_parameters.hpp"
#include "store/sql/postgresql/server_link.hpp"

namespace jouletree::store::sql {

struct EndResult {
  void operator()(PGresult* result) const { libpq().clear(result); }
};
using ServerResult = std::unique_ptr<PGresult, EndResult>;

/// Whoever reads results from the connection, which can do one thing at a time.
class ResultReader {
 public:
  virtual ~ResultReader() = default;
  /// Reads what is left into memory, so that the connection is free. Never throws.
  virtual void take_rest() noexcept = 0;
};

/// A connection that is opened anew when it was lost, and the statements that were prepared on it.
/// Rows share it.
class ServerSession {
 public:
  ServerSession(std::string url, Access access, Backoff backoff);

  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] bool in_transaction() const { return in_transaction_; }
  [[nodiscard]] PGconn* link() const { return link_.get(); }

  /// Frees the connection and makes sure that it stands. Called before anything is sent. Throws
  /// where it was lost within a transaction.
  void get_ready();
  /// Takes what is left to read off the connection.
  void free_link() noexcept;
  void set_reader(ResultReader* reader) { reader_ = reader; }
  void set_in_transaction(bool inside) { in_transaction_ = inside; }

  /// Statements without parameters, as one message. Throws for the first that fails.
  ServerResult run(const std::string& sql);
  /// Sends one statement and returns its first result. `streamed` rows come one by one.
  /// Goes with get_ready() before, and check() behind.
  ServerResult send(std::string_view sql, std::span<const Parameter> parameters, bool streamed);
  /// The name of the statement on the server. Throws for SQL that cannot be used, and for another
  /// number of parameters.
  const std::string& prepared(std::string_view sql, std::span<const Parameter> parameters);
  void forget_statements() noexcept;
  /// True where a prepared statement no longer fits: a table has other columns now, or somebody
  /// threw it away.
  [[nodiscard]] bool is_outdated(const PGresult* result, std::string_view sql) const;
  /// Reads what the last statement still has to say, and forgets it.
  void end_results() noexcept;
  /// Throws unless the result is one of success.
  void check(const PGresult* result, std::string_view sql);
  [[noreturn]] void fail(const PGresult* result, std::string_view sql) const;

 private:
  struct Statement {
    std::string name;
    std::size_t parameters;
  };

  [[nodiscard]] bool is_lost() const;
  [[noreturn]] void fail_lost(std::string_view sql, const std::string& reason) const;

  std::string url_;
  std::string place_;
  Access access_;
  Backoff backoff_;
  ServerLink link_;
  ResultReader* reader_ = nullptr;
  bool in_transaction_ = false;
  std::unordered_map<std::string, Statement> statements_;
  std::size_t statement_count_ = 0;
  SentParameters sent_;
};

}  // namespace jouletree::store::sql
