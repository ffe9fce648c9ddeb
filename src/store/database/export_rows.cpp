#include <cmath>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/json_text.hpp"
#include "store/database/export.hpp"

namespace jouletree::store {
namespace {

/// Keys follow from what rows say, so that equal databases are exported alike.
constexpr const char* kOperatorRows =
    "SELECT o.op, o.key, o.direction, o.inputs, o.outputs, o.attributes, o.macs, o.flops, o.bytes, "
    "o.params, a.name AS machine, a.cpu, a.gpus, e.name AS engine, e.version AS engine_version, "
    "e.threads, m.conditions, m.measured_at, m.time_s, m.time_low_s, m.time_high_s, m.time_mean_s, "
    "m.time_trimmed_mean_s, m.time_deviation_s, m.time_min_s, m.time_max_s, m.time_provenance, "
    "m.windows, m.runs, m.energy_j, m.energy_low_j, m.energy_high_j, m.above_idle_j, "
    "m.above_idle_low_j, m.above_idle_high_j, m.energy_provenance, m.power_w, m.meters, s.name AS "
    "source, s.origin, m.source_row FROM measurements AS m JOIN operators AS o ON o.id = "
    "m.operator_id JOIN machines AS a ON a.id = m.machine_id JOIN engines AS e ON e.id = "
    "m.engine_id JOIN sources AS s ON s.id = m.source_id ORDER BY m.id";
constexpr const char* kModelRows =
    "SELECT o.name AS model, o.family, o.mode, o.inputs, o.batch, o.sequence, o.params, o.macs, "
    "o.flops, o.bytes, o.file_bytes, a.name AS machine, a.cpu, a.gpus, e.name AS engine, e.version "
    "AS engine_version, e.threads, m.conditions, m.measured_at, m.time_s, m.time_low_s, "
    "m.time_high_s, m.time_mean_s, m.time_deviation_s, m.time_provenance, m.windows, m.runs, "
    "m.energy_j, m.energy_low_j, m.energy_high_j, m.above_idle_j, m.above_idle_low_j, "
    "m.above_idle_high_j, m.energy_provenance, m.power_w, m.meters, s.name AS source, s.origin, "
    "m.source_row FROM measurements AS m JOIN models AS o ON o.id = m.model_id JOIN machines AS a "
    "ON a.id = m.machine_id JOIN engines AS e ON e.id = m.engine_id JOIN sources AS s ON s.id = "
    "m.source_id ORDER BY m.id";
constexpr const char* kNodeRows =
    "SELECT n.run_id AS run, o.name AS model, o.batch, o.sequence, a.name AS machine, e.name AS "
    "engine, n.position, n.parent, n.level, n.scope, n.type, n.params, n.macs, n.flops, n.bytes, "
    "n.time_s, n.energy_j, n.energy_provenance, n.gpu_energy_j, s.name AS source, s.origin FROM "
    "nodes AS n JOIN runs AS r ON r.id = n.run_id JOIN models AS o ON o.id = r.model_id JOIN "
    "machines AS a ON a.id = r.machine_id JOIN engines AS e ON e.id = r.engine_id JOIN sources AS "
    "s "
    "ON s.id = r.source_id ORDER BY n.run_id, n.position";

const char* query_of(Exported what) {
  switch (what) {
    case Exported::Operators: return kOperatorRows;
    case Exported::Models: return kModelRows;
    case Exported::Nodes: break;
  }
  return kNodeRows;
}

struct AppendCsv {
  std::string& to;
  void operator()(std::monostate /*null*/) const {}
  void operator()(std::int64_t number) const { to += std::to_string(number); }
  void operator()(double number) const { to += fmt::format("{}", number); }
  void operator()(const std::string& text) const { to += csv_field(text); }
  void operator()(const sql::Blob& /*bytes*/) const {}
};

struct AppendJson {
  std::string& to;
  void operator()(std::monostate /*null*/) const { to += "null"; }
  void operator()(std::int64_t number) const { to += std::to_string(number); }
  void operator()(double number) const {
    to += std::isfinite(number) ? fmt::format("{}", number) : "null";
  }
  void operator()(const std::string& text) const { append_json_text(to, text); }
  void operator()(const sql::Blob& /*bytes*/) const { to += "null"; }
};

}  // namespace

void export_rows(Database& database, Exported what, bool as_json_lines, const TakeBytes& take) {
  const auto rows = database.connection().query(query_of(what), {});
  const std::vector<std::string>& columns = rows->columns();
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) line += (i == 0 ? "" : ",") + columns[i];
  if (!as_json_lines) take(line + "\n");
  while (rows->next()) {
    line = as_json_lines ? "{" : "";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (as_json_lines) {
        line += fmt::format("{}\"{}\": ", i == 0 ? "" : ", ", columns[i]);
        std::visit(AppendJson{line}, rows->value(i));
      } else {
        if (i > 0) line += ',';
        std::visit(AppendCsv{line}, rows->value(i));
      }
    }
    line += as_json_lines ? "}\n" : "\n";
    take(line);
  }
}

}  // namespace jouletree::store
