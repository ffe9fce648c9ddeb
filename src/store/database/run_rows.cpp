#include "store/database/run_rows.hpp"

#include <array>

#include "jouletree/provenance.hpp"
#include "jouletree/units.hpp"
#include "store/database/cells.hpp"

namespace jouletree::store {
namespace {

using sql::Parameter;

std::optional<double> times(const std::optional<double>& value, double factor) {
  return value ? std::optional(*value * factor) : std::nullopt;
}

Parameter energy_provenance(const RunNode& node) {
  if (!node.energy_j) return {};
  return std::string_view(
      name_of(node.is_estimated ? Provenance::Estimated : Provenance::Measured));
}

}  // namespace

Id RunRecord::id() const {
  return content_id({"run", std::to_string(source), std::to_string(source_row)});
}

void add_run(Database& database, const RunRecord& record, const TreeRun& run) {
  const Id id = record.id();
  database.connection().execute(
      "INSERT INTO runs (id, source_id, source_row, model_id, machine_id, engine_id, "
      "measurement_id, measured_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
      std::array<Parameter, 8>{id, record.source, record.source_row, record.model, record.machine,
                               record.engine, cell(record.measurement),
                               text_cell(record.measured_at)});
  std::vector<std::vector<Parameter>> rows;
  rows.reserve(run.nodes.size());
  std::int64_t position = 0;
  for (const RunNode& node : run.nodes) {
    rows.push_back(
        {id, position++,
         node.parent == kNoParent ? Parameter() : Parameter(static_cast<std::int64_t>(node.parent)),
         name_of(node.level), std::string_view(node.scope), text_cell(node.type), cell(node.params),
         cell(node.macs), cell(times(node.mflops, 1e6)), cell(times(node.mebibytes, kMebibyte)),
         cell(node.time_s), cell(node.energy_j), energy_provenance(node), cell(node.gpu_energy_j)});
  }
  database.connection().execute_all(
      "INSERT INTO nodes (run_id, position, parent, level, scope, type, params, macs, flops, "
      "bytes, "
      "time_s, energy_j, energy_provenance, gpu_energy_j) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?) ON CONFLICT (run_id, position) DO NOTHING",
      rows);
}

}  // namespace jouletree::store
