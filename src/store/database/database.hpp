#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/error.hpp"
#include "store/database/records.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/location.hpp"

namespace jouletree::store {

/// A database of machines, engines, operators, models and what was measured of them. What is added
/// twice is there once. Used by one thread at a time. Throws as sql::Connection does.
class Database {
 public:
  /// Opens it; where it may be written, its schema is brought up to date.
  Database(const sql::Location& location, sql::Access access);
  /// The same with a connection that is open.
  Database(std::unique_ptr<sql::Connection> connection, sql::Access access);

  Database(Database&&) noexcept = default;
  Database& operator=(Database&&) = delete;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  /// Removes a file that it made and that holds nothing.
  ~Database();

  [[nodiscard]] sql::Connection& connection() { return *connection_; }
  [[nodiscard]] std::string place() const { return connection_->place(); }

  /// Inside a transaction that adds many rows: others that call it wait for its end. Without it,
  /// two programs that add the same rows to PostgreSQL could wait for each other.
  void wait_for_writers();

  // Each returns the key of what is there now, whoever put it there. A row that is there and knows
  // less gets what is added to it. Two different rows have the same key once in a hundred thousand
  // databases of ten million rows; merge() looks for that.
  Id add(const SourceRecord& source);
  Id add(const MachineRecord& machine);
  Id add(const EngineRecord& engine);
  Id add(const OperatorRecord& one);
  Id add(const ModuleRecord& module);
  Id add(const ModelRecord& model);
  /// Of many at once. Their machines, engines, sources and subjects must be there.
  void add(std::span<const OperatorRecord> operators);
  void add(std::span<const MeasurementRecord> measurements);

  /// How often a model runs operators in an engine.
  struct OperatorCount {
    Id operation = 0;
    std::int64_t count = 0;
  };
  void add_counts(Id model, Id engine, Id source, std::span<const OperatorCount> counts);
  void add_latencies(Id measurement, const std::vector<double>& sorted_seconds);

  /// Rows of a source as they were, by position.
  void add_source_rows(Id source, std::int64_t first, std::span<const std::string> rows);
  /// Calls `take` for every row in order.
  void read_source_rows(Id source,
                        const std::function<void(std::int64_t position, std::string row)>& take);

  /// Empty where there is no such source.
  [[nodiscard]] std::string source_name(Id source);
  /// One of them; nothing where there is none.
  [[nodiscard]] std::optional<std::string> source_row(Id source, std::int64_t position);

  /// What to find: a subject as it was measured on a machine, in an engine, under conditions.
  struct Wanted {
    MeasurementRecord::Of of = MeasurementRecord::Of::Operator;
    Id subject = 0;
    Id machine = 0;
    Id engine = 0;
    std::string conditions{};
  };
  /// The newest one that `suits`, with its domains. Nothing where there is none.
  [[nodiscard]] std::optional<MeasurementRecord> newest(
      const Wanted& wanted, const std::function<bool(const MeasurementRecord&)>& suits);

 private:
  [[nodiscard]] std::string unpacked(Id source, std::int64_t position, std::int64_t size,
                                     std::string content) const;

  std::unique_ptr<sql::Connection> connection_;
};

/// Looks into a database, and leaves nothing beside it. Where another program begins to write
/// meanwhile, looks once more.
template <class Look>
auto glance(const sql::Location& location, const Look& look) {
  try {
    Database database(location, sql::Access::Glance);
    return look(database);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Failed) throw;
    Database database(location, sql::Access::Read);
    return look(database);
  }
}

}  // namespace jouletree::store
