#include "store/database/statistics.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "store/database/cells.hpp"
#include "store/database/schema.hpp"

namespace jouletree::store {
namespace {

std::int64_t number_at(const sql::Rows& rows, std::size_t column) {
  return whole_in(rows.value(column)).value_or(0);
}

std::optional<std::int64_t> stored_bytes(Database& database) {
  if (database.connection().dialect() == sql::Dialect::Sqlite) {
    std::int64_t sum = 0;
    for (const char* const beside : {"", "-wal"}) {
      std::error_code absent;
      const auto bytes = std::filesystem::file_size(database.place() + beside, absent);
      if (!absent) sum += static_cast<std::int64_t>(bytes);
    }
    return sum;
  }
  std::string sizes;
  for (const std::string& table : table_names())
    sizes += fmt::format("{}pg_total_relation_size('{}')", sizes.empty() ? "" : " + ", table);
  const auto rows = database.connection().query("SELECT " + sizes, {});
  return rows->next() ? whole_in(rows->value(0)) : std::nullopt;
}

void count_tables(Database& database, DatabaseStatistics& found) {
  for (const std::string& table : table_names()) {
    const auto rows = database.connection().query("SELECT count(*) FROM " + table, {});
    if (rows->next()) found.tables[table] = number_at(*rows, 0);
  }
}

constexpr const char* kMeasurementsByKind =
    "SELECT CASE WHEN operator_id IS NOT NULL THEN 'operator' WHEN module_id IS NOT NULL THEN "
    "'module' ELSE 'model' END AS level, time_provenance, energy_provenance, count(*), "
    "min(measured_at), max(measured_at) FROM measurements GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";

void count_measurements(Database& database, DatabaseStatistics& found) {
  const auto rows = database.connection().query(kMeasurementsByKind, {});
  while (rows->next()) {
    found.measurements.push_back({text_in(rows->value(0)), text_in(rows->value(1)),
                                  text_in(rows->value(2)), number_at(*rows, 3)});
    const std::string oldest = text_in(rows->value(4));
    const std::string newest = text_in(rows->value(5));
    if (!oldest.empty() && (found.oldest.empty() || oldest < found.oldest)) found.oldest = oldest;
    if (newest > found.newest) found.newest = newest;
  }
}

void count_sources(Database& database, DatabaseStatistics& found) {
  const auto rows = database.connection().query(
      "SELECT kind, format, count(*) FROM sources GROUP BY kind, format ORDER BY kind, format", {});
  while (rows->next())
    found.sources.push_back(
        {text_in(rows->value(0)), text_in(rows->value(1)), number_at(*rows, 2)});
}

constexpr const char* kByMachine =
    "SELECT a.name, e.name, e.version, e.threads, m.operators, m.modules, m.models, m.newest FROM "
    "(SELECT machine_id, engine_id, count(operator_id) AS operators, count(module_id) AS modules, "
    "count(model_id) AS models, max(measured_at) AS newest FROM measurements GROUP BY machine_id, "
    "engine_id) AS m JOIN machines AS a ON a.id = m.machine_id JOIN engines AS e ON e.id = "
    "m.engine_id ORDER BY a.name, e.name, e.version, e.threads, a.id, e.id";

void count_machines(Database& database, DatabaseStatistics& found) {
  const auto rows = database.connection().query(kByMachine, {});
  while (rows->next()) {
    found.machines.push_back({text_in(rows->value(0)), text_in(rows->value(1)),
                              text_in(rows->value(2)), whole_in(rows->value(3)),
                              number_at(*rows, 4), number_at(*rows, 5), number_at(*rows, 6),
                              text_in(rows->value(7))});
  }
}

}  // namespace

DatabaseStatistics statistics_of(Database& database) {
  DatabaseStatistics found;
  found.place = database.place();
  found.schema = schema_version(database.connection()).value_or(0);
  found.bytes = stored_bytes(database);
  // One moment for all numbers, whoever writes meanwhile.
  sql::Transaction one_moment(database.connection());
  count_tables(database, found);
  count_measurements(database, found);
  count_sources(database, found);
  count_machines(database, found);
  return found;
}

}  // namespace jouletree::store
