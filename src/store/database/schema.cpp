#include "store/database/schema.hpp"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/calendar.hpp"

namespace jouletree::store {
namespace {

/// One version of the schema follows from the one before. What stands here never changes: a later
/// version is another entry. Both databases understand all of it but the name of the type for
/// bytes. Every table has a key that follows from what its rows say (content_id), so that the same
/// rows have the same keys everywhere.
constexpr std::array<std::string_view, 2> kMigrations = {R"sql(
CREATE TABLE sources (
  id BIGINT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('measured', 'imported')),
  format TEXT NOT NULL,
  name TEXT NOT NULL,
  origin TEXT,
  header TEXT,
  added_at TEXT NOT NULL
);
CREATE TABLE source_rows (
  source_id BIGINT NOT NULL REFERENCES sources (id),
  position BIGINT NOT NULL,
  size BIGINT NOT NULL,
  content BYTES NOT NULL,
  PRIMARY KEY (source_id, position)
);
CREATE TABLE machines (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  cpu TEXT,
  cpus BIGINT,
  machine_cpus BIGINT,
  core_cache_bytes BIGINT,
  last_cache_bytes BIGINT,
  memory_bytes BIGINT,
  gpus TEXT NOT NULL,
  system TEXT,
  kernel TEXT,
  governor TEXT,
  turbo SMALLINT,
  hypervisor TEXT,
  sensors TEXT NOT NULL
);
CREATE TABLE engines (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  version TEXT,
  provider TEXT,
  device TEXT,
  threads BIGINT,
  options TEXT NOT NULL
);
CREATE TABLE operators (
  id BIGINT PRIMARY KEY,
  key TEXT NOT NULL,
  op TEXT NOT NULL,
  direction TEXT NOT NULL,
  attributes TEXT NOT NULL,
  inputs TEXT NOT NULL,
  outputs TEXT NOT NULL,
  macs DOUBLE PRECISION,
  flops DOUBLE PRECISION,
  bytes DOUBLE PRECISION,
  params DOUBLE PRECISION,
  signature BIGINT
);
CREATE INDEX operators_by_op ON operators (op);
CREATE INDEX operators_by_signature ON operators (signature);
CREATE TABLE modules (
  id BIGINT PRIMARY KEY,
  type TEXT,
  operators BIGINT NOT NULL
);
CREATE TABLE models (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  family TEXT,
  mode TEXT NOT NULL,
  inputs TEXT NOT NULL,
  batch DOUBLE PRECISION,
  sequence DOUBLE PRECISION,
  params DOUBLE PRECISION,
  macs DOUBLE PRECISION,
  flops DOUBLE PRECISION,
  bytes DOUBLE PRECISION,
  file_bytes BIGINT
);
CREATE INDEX models_by_name ON models (name);
CREATE TABLE model_operators (
  model_id BIGINT NOT NULL REFERENCES models (id),
  engine_id BIGINT NOT NULL REFERENCES engines (id),
  operator_id BIGINT NOT NULL REFERENCES operators (id),
  source_id BIGINT NOT NULL REFERENCES sources (id),
  count BIGINT NOT NULL,
  PRIMARY KEY (model_id, engine_id, operator_id, source_id)
);
CREATE TABLE measurements (
  id BIGINT PRIMARY KEY,
  operator_id BIGINT REFERENCES operators (id),
  module_id BIGINT REFERENCES modules (id),
  model_id BIGINT REFERENCES models (id),
  machine_id BIGINT NOT NULL REFERENCES machines (id),
  engine_id BIGINT NOT NULL REFERENCES engines (id),
  source_id BIGINT NOT NULL REFERENCES sources (id),
  source_row BIGINT,
  conditions TEXT NOT NULL,
  measured_at TEXT,
  time_s DOUBLE PRECISION,
  time_low_s DOUBLE PRECISION,
  time_high_s DOUBLE PRECISION,
  time_mean_s DOUBLE PRECISION,
  time_trimmed_mean_s DOUBLE PRECISION,
  time_deviation_s DOUBLE PRECISION,
  time_min_s DOUBLE PRECISION,
  time_max_s DOUBLE PRECISION,
  time_provenance TEXT,
  windows BIGINT,
  runs BIGINT,
  precise SMALLINT,
  asked_precision DOUBLE PRECISION,
  copies BIGINT,
  energy_j DOUBLE PRECISION,
  energy_low_j DOUBLE PRECISION,
  energy_high_j DOUBLE PRECISION,
  above_idle_j DOUBLE PRECISION,
  above_idle_low_j DOUBLE PRECISION,
  above_idle_high_j DOUBLE PRECISION,
  energy_provenance TEXT,
  power_w DOUBLE PRECISION,
  meters TEXT,
  details TEXT,
  trials BYTES,
  CHECK (CASE WHEN operator_id IS NULL THEN 0 ELSE 1 END + CASE WHEN module_id IS NULL THEN 0 ELSE 1 END
    + CASE WHEN model_id IS NULL THEN 0 ELSE 1 END = 1)
);
CREATE INDEX measurements_by_operator ON measurements (operator_id, machine_id, engine_id);
CREATE INDEX measurements_by_module ON measurements (module_id, machine_id, engine_id);
CREATE INDEX measurements_by_model ON measurements (model_id, machine_id, engine_id);
CREATE TABLE energies (
  measurement_id BIGINT NOT NULL REFERENCES measurements (id),
  domain TEXT NOT NULL,
  energy_j DOUBLE PRECISION,
  energy_low_j DOUBLE PRECISION,
  energy_high_j DOUBLE PRECISION,
  above_idle_j DOUBLE PRECISION,
  provenance TEXT NOT NULL,
  PRIMARY KEY (measurement_id, domain)
);
CREATE TABLE latencies (
  measurement_id BIGINT PRIMARY KEY REFERENCES measurements (id),
  runs BIGINT NOT NULL,
  median_s DOUBLE PRECISION NOT NULL,
  p90_s DOUBLE PRECISION NOT NULL,
  p99_s DOUBLE PRECISION NOT NULL,
  seconds BYTES NOT NULL
);
CREATE TABLE runs (
  id BIGINT PRIMARY KEY,
  source_id BIGINT NOT NULL REFERENCES sources (id),
  source_row BIGINT NOT NULL,
  model_id BIGINT NOT NULL REFERENCES models (id),
  machine_id BIGINT NOT NULL REFERENCES machines (id),
  engine_id BIGINT NOT NULL REFERENCES engines (id),
  measurement_id BIGINT REFERENCES measurements (id),
  measured_at TEXT
);
CREATE INDEX runs_by_model ON runs (model_id);
CREATE TABLE nodes (
  run_id BIGINT NOT NULL REFERENCES runs (id),
  position BIGINT NOT NULL,
  parent BIGINT,
  level TEXT NOT NULL,
  scope TEXT NOT NULL,
  type TEXT,
  params DOUBLE PRECISION,
  macs DOUBLE PRECISION,
  flops DOUBLE PRECISION,
  bytes DOUBLE PRECISION,
  time_s DOUBLE PRECISION,
  energy_j DOUBLE PRECISION,
  energy_provenance TEXT,
  gpu_energy_j DOUBLE PRECISION,
  PRIMARY KEY (run_id, position)
);
CREATE TABLE scores (
  id BIGINT PRIMARY KEY,
  model_id BIGINT NOT NULL REFERENCES models (id),
  machine_id BIGINT NOT NULL REFERENCES machines (id),
  engine_id BIGINT NOT NULL REFERENCES engines (id),
  source_id BIGINT NOT NULL REFERENCES sources (id),
  metric TEXT NOT NULL,
  value DOUBLE PRECISION,
  unit TEXT,
  provenance TEXT NOT NULL,
  examples BIGINT,
  measured_at TEXT
);
CREATE TABLE recordings (
  id BIGINT PRIMARY KEY,
  source_id BIGINT NOT NULL REFERENCES sources (id),
  machine_id BIGINT NOT NULL REFERENCES machines (id),
  run BIGINT NOT NULL,
  command TEXT,
  began_at TEXT,
  duration_s DOUBLE PRECISION,
  energy_j DOUBLE PRECISION,
  energy_low_j DOUBLE PRECISION,
  energy_high_j DOUBLE PRECISION,
  energy_provenance TEXT,
  covers TEXT
);
)sql",
                                                         R"sql(
CREATE TABLE campaigns (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE TABLE campaign_items (
  id BIGINT PRIMARY KEY,
  campaign_id BIGINT NOT NULL REFERENCES campaigns (id),
  position BIGINT NOT NULL,
  label TEXT NOT NULL,
  spec TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'done', 'failed')),
  worker TEXT,
  lease_end_ms BIGINT,
  claimed_at TEXT,
  finished_at TEXT,
  attempts BIGINT NOT NULL,
  reason TEXT,
  seconds DOUBLE PRECISION,
  source_id BIGINT REFERENCES sources (id),
  result TEXT
);
CREATE INDEX campaign_items_by_state ON campaign_items (campaign_id, state, position);
)sql"};

constexpr std::string_view kVersions =
    "CREATE TABLE jouletree_schema (version BIGINT PRIMARY KEY, applied_at TEXT NOT NULL)";

std::string in_dialect(std::string_view sql, sql::Dialect dialect) {
  std::string text(sql);
  const std::string_view placeholder = " BYTES";
  const std::string_view type = dialect == sql::Dialect::Sqlite ? " BLOB" : " BYTEA";
  for (std::size_t at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + type.size()))
    text.replace(at, placeholder.size(), type);
  return text;
}

std::int64_t first_number(sql::Connection& connection, std::string_view sql) {
  const auto rows = connection.query(sql, {});
  if (!rows->next()) return 0;
  const sql::Value value = rows->value(0);
  const auto* const number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? 0 : *number;
}

bool has_versions(sql::Connection& connection) {
  const std::string_view asks =
      connection.dialect() == sql::Dialect::Sqlite
          ? "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'jouletree_schema'"
          : "SELECT count(*) FROM pg_tables WHERE tablename = 'jouletree_schema' AND schemaname = "
            "ANY (current_schemas(false))";
  return first_number(connection, asks) > 0;
}

/// Others of the same name must not be written into.
void refuse_foreign_tables(sql::Connection& connection) {
  const std::string_view asks =
      connection.dialect() == sql::Dialect::Sqlite
          ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "LIMIT 1"
          : "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LIMIT 1";
  const auto rows = connection.query(asks, {});
  if (!rows->next()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: holds other tables ({}), but nothing of JouleTree; name a new file, "
                          "or an empty schema of PostgreSQL",
                          connection.place(), std::get<std::string>(rows->value(0))));
}

/// SQLite takes a file without a byte for a database without tables.
bool is_empty_file(const sql::Connection& connection) {
  std::error_code absent;
  return connection.dialect() == sql::Dialect::Sqlite &&
         std::filesystem::file_size(connection.place(), absent) == 0 && !absent &&
         !std::filesystem::exists(connection.place() + "-wal", absent);
}

void check_version(sql::Connection& connection, std::int64_t version) {
  if (version <= kSchemaVersion) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{}: was written by a newer JouleTree (schema {}, this program knows {}); "
                  "update JouleTree. Nothing was changed",
                  connection.place(), version, kSchemaVersion));
}

}  // namespace

std::optional<std::int64_t> schema_version(sql::Connection& connection) {
  if (!has_versions(connection)) return std::nullopt;
  return first_number(connection, "SELECT coalesce(max(version), 0) FROM jouletree_schema");
}

void require_schema(sql::Connection& connection) {
  const auto version = schema_version(connection);
  if (!version || *version == 0) {
    if (is_empty_file(connection)) {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("{0}: is an empty file, so there is nothing to read; name another, or "
                      "fill it: 'jouletree db import FILE --db {0}'",
                      connection.place()));
    }
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: is a database, but not one of JouleTree; name another, or a file that "
                    "does not exist: 'jouletree db import FILE --db NEW' makes it",
                    connection.place()));
  }
  check_version(connection, *version);
  if (*version < kSchemaVersion) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: has the older schema {}; 'jouletree db doctor --migrate --db {}' brings "
                    "it to {}, and so does every command that writes into it",
                    connection.place(), *version, connection.place(), kSchemaVersion));
  }
}

void migrate(sql::Connection& connection) {
  const auto known = schema_version(connection);
  if (known == kSchemaVersion) return;
  // Before the transaction: to begin one already changes a file of SQLite.
  if (!known) refuse_foreign_tables(connection);
  check_version(connection, known.value_or(0));
  sql::Transaction transaction(connection);
  // PostgreSQL: two programs may come here at once.
  if (connection.dialect() == sql::Dialect::Postgresql)
    connection.run_script("SELECT pg_advisory_xact_lock(5647362873)");
  auto version = schema_version(connection);
  if (!version) {
    refuse_foreign_tables(connection);
    connection.run_script(kVersions);
    version = 0;
  }
  check_version(connection, *version);
  for (std::int64_t next = *version; next < kSchemaVersion; ++next) {
    connection.run_script(
        in_dialect(kMigrations.at(static_cast<std::size_t>(next)), connection.dialect()));
    const std::string now = utc_now();
    connection.execute("INSERT INTO jouletree_schema (version, applied_at) VALUES (?, ?)",
                       std::array<sql::Parameter, 2>{next + 1, std::string_view(now)});
  }
  transaction.commit();
}

const std::vector<std::string>& table_names() {
  static const std::vector<std::string> names = {
      "sources",   "source_rows", "machines",        "engines",      "operators",
      "modules",   "models",      "model_operators", "measurements", "energies",
      "latencies", "runs",        "nodes",           "scores",       "recordings"};
  return names;
}

}  // namespace jouletree::store
