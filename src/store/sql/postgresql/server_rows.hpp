#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/sql/connection.hpp"
#include "store/sql/postgresql/server_session.hpp"

namespace jouletree::store::sql {

/// A transaction around one query that only reads. What a query set is forgotten with it, too.
class ReadTransaction {
 public:
  explicit ReadTransaction(std::shared_ptr<ServerSession> session);
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;
  ~ReadTransaction();

 private:
  std::shared_ptr<ServerSession> session_;
};

/// Rows as the server sends them.
class ServerRows : public Rows, private ResultReader {
 public:
  /// @param first   The first result; more may follow.
  /// @param around  Ends behind the last row; may be null.
  ServerRows(std::shared_ptr<ServerSession> session, std::string sql, ServerResult first,
             std::unique_ptr<ReadTransaction> around);
  ServerRows(const ServerRows&) = delete;
  ServerRows& operator=(const ServerRows&) = delete;
  ~ServerRows() override;

  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }
  bool next() override;
  [[nodiscard]] Value value(std::size_t column) const override;
  void take_rest() noexcept override;

 private:
  /// The next result, wherever it is; null behind the last.
  ServerResult next_result();
  void end() noexcept;

  std::shared_ptr<ServerSession> session_;
  std::string sql_;
  std::unique_ptr<ReadTransaction> around_;
  std::vector<std::string> columns_;
  std::vector<Oid> types_;
  ServerResult current_;
  int row_ = -1;
  std::deque<ServerResult> kept_;  ///< Read, because somebody needed the connection.
  bool is_running_ = true;         ///< More may come from the server.
};

}  // namespace jouletree::store::sql
