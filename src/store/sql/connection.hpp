#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jouletree::store::sql {

struct Blob {
  std::string bytes;
  friend bool operator==(const Blob&, const Blob&) = default;
};
struct BlobView {
  std::string_view bytes;
};

/// A cell of a result. NULL is std::monostate.
using Value = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;
/// What takes the place of a '?'. Texts and bytes must live until the call returns. Refused as
/// BadInput, because not every database keeps them as they are: numbers that are not finite, texts
/// that are not UTF-8 or hold a NUL byte. The sign of zero is not kept. PostgreSQL takes a
/// parameter for a text where nothing tells its type: there, write CAST(? AS bigint).
using Parameter = std::variant<std::monostate, std::int64_t, double, std::string_view, BlobView>;

/// The few words that databases say differently.
enum class Dialect : std::uint8_t { Sqlite, Postgresql };

/// Rows of a running query, read one after the other as they come from the database: many of them
/// need little memory. Where a database does one thing at a time, another call on the connection
/// reads the rows that are left into memory first. Not to be used after the connection.
class Rows {
 public:
  virtual ~Rows() = default;
  [[nodiscard]] virtual const std::vector<std::string>& columns() const = 0;
  /// Steps to the next row, which comes first, too. False behind the last one.
  virtual bool next() = 0;
  /// Of the current row.
  [[nodiscard]] virtual Value value(std::size_t column) const = 0;
};

/// How a database is opened.
enum class Access : std::uint8_t {
  /// Nothing can be written, whatever the SQL says. It must exist. What functions do on a server
  /// besides, the rights of the user decide.
  Read,
  /// The same for a short look that leaves nothing beside a file, as Read may. Where another
  /// program
  /// begins to write meanwhile, it throws Error(Failed): then Read.
  Glance,
  Write,   ///< It must exist.
  Create,  ///< Makes it where it does not exist.
};

/// One connection to a database; used by one thread at a time. Statements are prepared once and
/// kept. Parameters are '?' in the order in which they stand. All functions throw Error: BadInput
/// for SQL or a file that cannot be used, Failed for a connection that was lost or a disk that is
/// full, with what the database says and what to do.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  [[nodiscard]] virtual Dialect dialect() const = 0;
  /// Where it is, for messages: without a password.
  [[nodiscard]] virtual std::string place() const = 0;

  /// Statements without parameters and results, separated by ';'.
  virtual void run_script(std::string_view sql) = 0;
  /// Returns how many rows it changed.
  virtual std::int64_t execute(std::string_view sql, std::span<const Parameter> parameters) = 0;
  /// The same statement once for each set of parameters, without waiting in between. Returns how
  /// many rows all of them changed. Where one fails, none is stored; a transaction around them must
  /// then be rolled back.
  virtual std::int64_t execute_all(std::string_view sql,
                                   std::span<const std::vector<Parameter>> sets) = 0;
  /// One statement. What it changes, it has changed when this returns.
  [[nodiscard]] virtual std::unique_ptr<Rows> query(std::string_view sql,
                                                    std::span<const Parameter> parameters) = 0;

  /// Transactions do not nest. A SQLite database waits for other writers here, up to a minute.
  virtual void begin() = 0;
  virtual void commit() = 0;
  /// Never throws; does nothing where there is no transaction.
  virtual void roll_back() noexcept = 0;

  /// What is broken in the database itself, one sentence each; empty where it is sound.
  [[nodiscard]] virtual std::vector<std::string> integrity_problems() = 0;

  /// The last call: removes a file that this connection made, unless another program uses it, or
  /// `use`, a query, gives a row. Never throws.
  virtual void discard_new(std::string_view /*use*/) noexcept {}
};

/// Rolls back unless it was committed.
class Transaction {
 public:
  explicit Transaction(Connection& connection) : connection_(connection) { connection_.begin(); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (!committed_) connection_.roll_back();
  }
  void commit() {
    connection_.commit();
    committed_ = true;
  }

 private:
  Connection& connection_;
  bool committed_ = false;
};

}  // namespace jouletree::store::sql
