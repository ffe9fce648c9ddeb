#include "store/database/run_rows.hpp"

#include <array>
#include <vector>

#include "store/database/cells.hpp"

namespace jouletree::store {
namespace {

using sql::Parameter;

}  // namespace

Id RunRecord::id() const {
  return content_id({"run", std::to_string(source), std::to_string(source_row),
                     std::to_string(model), std::to_string(machine), std::to_string(engine)});
}

Id RecordingRecord::id() const {
  return content_id(
      {"recording", std::to_string(source), std::to_string(machine), std::to_string(run)});
}

void add_run(sql::Connection& connection, const RunRecord& run, std::span<const NodeRecord> nodes) {
  const Id id = run.id();
  connection.execute(
      "INSERT INTO runs (id, source_id, source_row, model_id, machine_id, engine_id, "
      "measurement_id, measured_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
      std::array<Parameter, 8>{id, run.source, run.source_row, run.model, run.machine, run.engine,
                               cell(run.measurement), text_cell(run.measured_at)});
  std::vector<std::vector<Parameter>> rows;
  rows.reserve(nodes.size());
  for (const NodeRecord& node : nodes) {
    rows.push_back({id, node.position, cell(node.parent), std::string_view(node.level),
                    std::string_view(node.scope), text_cell(node.type), cell(node.params),
                    cell(node.macs), cell(node.flops), cell(node.bytes), cell(node.time_s),
                    cell(node.energy_j), text_cell(node.energy_provenance),
                    cell(node.gpu_energy_j)});
  }
  connection.execute_all(
      "INSERT INTO nodes (run_id, position, parent, level, scope, type, params, macs, flops, "
      "bytes, time_s, energy_j, energy_provenance, gpu_energy_j) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, ?, ?) ON CONFLICT (run_id, position) DO NOTHING",
      rows);
}

void add_recording(sql::Connection& connection, const RecordingRecord& recording) {
  connection.execute(
      "INSERT INTO recordings (id, source_id, machine_id, run, command, began_at, duration_s, "
      "energy_j, energy_low_j, energy_high_j, energy_provenance, covers) VALUES (?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
      std::array<Parameter, 12>{recording.id(), recording.source, recording.machine, recording.run,
                                text_cell(recording.command), text_cell(recording.began_at),
                                cell(recording.duration_s), cell(recording.energy_j.value),
                                cell(recording.energy_j.low), cell(recording.energy_j.high),
                                text_cell(recording.energy_provenance),
                                text_cell(recording.covers)});
}

}  // namespace jouletree::store
