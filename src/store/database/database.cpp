#include "store/database/database.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/statistics.hpp"
#include "jouletree/error.hpp"
#include "store/calendar.hpp"
#include "store/database/cells.hpp"
#include "store/database/deflated.hpp"
#include "store/database/known_rows.hpp"
#include "store/database/measurement_rows.hpp"
#include "store/database/schema.hpp"

namespace jouletree::store {
namespace {

using sql::Parameter;

/// Short rows gain nothing by being packed.
constexpr std::size_t kLeastPacked = 512;
/// Rows that go to the database together.
constexpr std::size_t kBatch = 1000;

std::string json_list(const std::vector<std::string>& texts) {
  return nlohmann::json(texts).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_object(const std::map<std::string, std::string>& texts) {
  return nlohmann::json(texts).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<Parameter> row_of(const OperatorRecord& one, Id id,
                              const std::array<std::string, 3>& lists) {
  return {id,
          std::string_view(one.key),
          std::string_view(one.op),
          std::string_view(one.direction),
          std::string_view(lists[0]),
          std::string_view(lists[1]),
          std::string_view(lists[2]),
          cell(one.macs),
          cell(one.flops),
          cell(one.bytes),
          cell(one.params),
          one.signature.empty() ? Parameter() : Parameter(content_id({one.signature}))};
}

std::array<std::string, 3> lists_of(const OperatorRecord& one) {
  return {json_object(one.attributes), json_list(one.inputs), json_list(one.outputs)};
}

/// The statement that adds a row, or what it knows beside its key to the row that is there.
std::string adding(const sql::Connection& connection, const std::string& table,
                   const std::string& columns) {
  std::string places = "?";
  for (const char letter : columns)
    if (letter == ',') places += ", ?";
  return fmt::format("INSERT INTO {} ({}) VALUES ({}){}", table, columns, places,
                     settle_clause(connection.dialect(), table, "id", free_columns(table)));
}

}  // namespace

Database::Database(const sql::Location& location, sql::Access access)
    : Database(sql::open_connection(location, access), access) {}

Database::Database(std::unique_ptr<sql::Connection> connection, sql::Access access)
    : connection_(std::move(connection)) {
  if (access == sql::Access::Read || access == sql::Access::Glance) {
    require_schema(*connection_);
  } else {
    migrate(*connection_);
  }
}

Database::~Database() {
  if (connection_)
    connection_->discard_new(
        "SELECT 1 FROM sources UNION ALL SELECT 1 FROM campaigns UNION ALL SELECT 1 FROM machines "
        "LIMIT 1");
}

void Database::wait_for_writers() {
  // SQLite has one writer at a time anyway.
  if (connection_->dialect() == sql::Dialect::Postgresql)
    connection_->run_script("SELECT pg_advisory_xact_lock(5647362874)");
}

Id Database::add(const SourceRecord& source) {
  const Id id = source.id();
  const std::string now = utc_now();
  const bool measured = source.kind == SourceRecord::Kind::Measured;
  connection_->execute(
      adding(*connection_, "sources", "id, kind, format, name, origin, header, added_at"),
      std::array<Parameter, 7>{id, std::string_view(measured ? "measured" : "imported"),
                               std::string_view(source.format), std::string_view(source.name),
                               text_cell(source.origin), text_cell(source.header),
                               std::string_view(now)});
  return id;
}

Id Database::add(const MachineRecord& machine) {
  const Id id = machine.id();
  const std::string gpus = json_list(machine.gpus);
  const std::string sensors = json_list(machine.sensors);
  connection_->execute(
      adding(*connection_, "machines",
             "id, name, cpu, cpus, machine_cpus, core_cache_bytes, last_cache_bytes, memory_bytes, "
             "gpus, system, kernel, governor, turbo, hypervisor, sensors"),
      std::array<Parameter, 15>{
          id, std::string_view(machine.name), text_cell(machine.cpu), cell(machine.cpus),
          cell(machine.machine_cpus), cell(machine.core_cache_bytes),
          cell(machine.last_cache_bytes), cell(machine.memory_bytes), std::string_view(gpus),
          text_cell(machine.system), text_cell(machine.kernel), text_cell(machine.governor),
          cell(machine.turbo), text_cell(machine.hypervisor), std::string_view(sensors)});
  return id;
}

Id Database::add(const EngineRecord& engine) {
  const Id id = engine.id();
  const std::string options = json_object(engine.options);
  connection_->execute(
      "INSERT INTO engines (id, name, version, provider, device, threads, options) VALUES (?, ?, "
      "?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
      std::array<Parameter, 7>{id, std::string_view(engine.name), text_cell(engine.version),
                               text_cell(engine.provider), text_cell(engine.device),
                               cell(engine.threads), std::string_view(options)});
  return id;
}

Id Database::add(const OperatorRecord& one) {
  add(std::span(&one, 1));
  return one.id();
}

void Database::add(std::span<const OperatorRecord> operators) {
  std::vector<std::vector<Parameter>> rows;
  std::vector<std::array<std::string, 3>> lists;
  rows.reserve(operators.size());
  lists.reserve(operators.size());
  for (const OperatorRecord& one : operators) {
    lists.push_back(lists_of(one));
    rows.push_back(row_of(one, one.id(), lists.back()));
  }
  connection_->execute_all(adding(*connection_, "operators",
                                  "id, key, op, direction, attributes, inputs, outputs, macs, "
                                  "flops, bytes, params, signature"),
                           rows);
}

Id Database::add(const ModuleRecord& module) {
  const Id id = module.id();
  connection_->execute(adding(*connection_, "modules", "id, type, operators"),
                       std::array<Parameter, 3>{id, text_cell(module.type), module.operators});
  return id;
}

Id Database::add(const ModelRecord& model) {
  const Id id = model.id();
  const std::string inputs = json_list(model.inputs);
  connection_->execute(
      adding(*connection_, "models",
             "id, name, family, mode, inputs, batch, sequence, params, macs, flops, bytes, "
             "file_bytes"),
      std::array<Parameter, 12>{
          id, std::string_view(model.name), text_cell(model.family), std::string_view(model.mode),
          std::string_view(inputs), cell(model.batch), cell(model.sequence), cell(model.params),
          cell(model.macs), cell(model.flops), cell(model.bytes), cell(model.file_bytes)});
  return id;
}

void Database::add(std::span<const MeasurementRecord> measurements) {
  for (std::size_t first = 0; first < measurements.size(); first += kBatch)
    add_measurement_rows(
        *connection_, measurements.subspan(first, std::min(kBatch, measurements.size() - first)));
}

void Database::add_counts(Id model, Id engine, Id source, std::span<const OperatorCount> counts) {
  std::vector<std::vector<Parameter>> rows;
  rows.reserve(counts.size());
  for (const OperatorCount& one : counts)
    rows.push_back({model, engine, one.operation, source, one.count});
  connection_->execute_all(
      "INSERT INTO model_operators (model_id, engine_id, operator_id, source_id, count) VALUES (?, "
      "?, ?, ?, ?) ON CONFLICT (model_id, engine_id, operator_id, source_id) DO NOTHING",
      rows);
}

void Database::add_latencies(Id measurement, const std::vector<double>& sorted_seconds) {
  if (sorted_seconds.empty()) return;
  const std::string bytes = packed_seconds(sorted_seconds);
  connection_->execute(
      "INSERT INTO latencies (measurement_id, runs, median_s, p90_s, p99_s, seconds) VALUES (?, ?, "
      "?, ?, ?, ?) ON CONFLICT (measurement_id) DO NOTHING",
      std::array<Parameter, 6>{measurement, static_cast<std::int64_t>(sorted_seconds.size()),
                               quantile(sorted_seconds, 0.5), quantile(sorted_seconds, 0.9),
                               quantile(sorted_seconds, 0.99), sql::BlobView{bytes}});
}

void Database::add_source_rows(Id source, std::int64_t first, std::span<const std::string> rows) {
  std::vector<std::vector<Parameter>> sets;
  std::vector<std::string> packed;
  sets.reserve(rows.size());
  packed.reserve(rows.size());
  for (const std::string& row : rows) {
    std::string_view content = row;
    if (row.size() >= kLeastPacked) {
      packed.push_back(deflated(row));
      // What cannot be packed is told by its size.
      if (packed.back().size() < row.size()) content = packed.back();
    }
    sets.push_back(
        {source, first++, static_cast<std::int64_t>(row.size()), sql::BlobView{content}});
  }
  connection_->execute_all(
      "INSERT INTO source_rows (source_id, position, size, content) VALUES (?, ?, ?, ?) ON "
      "CONFLICT "
      "(source_id, position) DO NOTHING",
      sets);
}

std::string Database::unpacked(Id source, std::int64_t position, std::int64_t size,
                               std::string content) const {
  if (content.size() == static_cast<std::size_t>(size)) return content;
  try {
    return inflated(content, static_cast<std::size_t>(size));
  } catch (const std::runtime_error& damaged) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: row {} of source {} cannot be read: {}; 'jouletree db doctor' "
                            "looks for damage",
                            place(), position, source, damaged.what()));
  }
}

std::optional<std::string> Database::source_row(Id source, std::int64_t position) {
  const auto rows = connection_->query(
      "SELECT size, content FROM source_rows WHERE source_id = ? AND position = ?",
      std::array<Parameter, 2>{source, position});
  if (!rows->next()) return std::nullopt;
  return unpacked(source, position, std::get<std::int64_t>(rows->value(0)),
                  std::get<sql::Blob>(rows->value(1)).bytes);
}

void Database::read_source_rows(
    Id source, const std::function<void(std::int64_t position, std::string row)>& take) {
  const auto rows = connection_->query(
      "SELECT position, size, content FROM source_rows WHERE source_id = ? ORDER BY position",
      std::array<Parameter, 1>{source});
  while (rows->next()) {
    const auto position = std::get<std::int64_t>(rows->value(0));
    take(position, unpacked(source, position, std::get<std::int64_t>(rows->value(1)),
                            std::get<sql::Blob>(rows->value(2)).bytes));
  }
}

std::string Database::source_name(Id source) {
  const auto rows =
      connection_->query("SELECT name FROM sources WHERE id = ?", std::array<Parameter, 1>{source});
  return rows->next() ? text_in(rows->value(0)) : std::string();
}

std::optional<MeasurementRecord> Database::newest(
    const Wanted& wanted, const std::function<bool(const MeasurementRecord&)>& suits) {
  return newest_measurement(*connection_, wanted, suits);
}

}  // namespace jouletree::store
