#include "store/database/source_writer.hpp"

#include <fmt/format.h>

namespace jouletree::store {
namespace {

constexpr std::size_t kRowsAtOnce = 2000;
/// Rows of trees are long.
constexpr std::size_t kBytesAtOnce = 8U << 20U;

}  // namespace

SourceWriter::SourceWriter(Database& database, const SourceRecord& source,
                           const ImportOptions& options)
    : database_(database),
      options_(options),
      source_(database.add(source)),
      // Not by the name of the file, which may differ where somebody else imports it.
      unknown_machine_(fmt::format("unknown (source {})", source_)) {}

void SourceWriter::keep(std::int64_t position, std::string_view text) {
  if (rows_.empty()) first_row_ = position;
  rows_.emplace_back(text);
  row_bytes_ += text.size();
  ++counts_.rows;
  if (rows_.size() >= kRowsAtOnce || row_bytes_ >= kBytesAtOnce) flush();
}

Id SourceWriter::machine(const std::string& name) {
  const std::string& given = name.empty() ? options_.machine : name;
  if (name.empty()) machine_used_ = true;
  const std::string& known_as = given.empty() ? unknown_machine_ : given;
  const auto place = machines_.find(known_as);
  if (place != machines_.end()) return place->second;
  MachineRecord record;
  record.name = known_as;
  return machines_.emplace(known_as, database_.add(record)).first->second;
}

Id SourceWriter::machine(const MachineRecord& machine) { return database_.add(machine); }

Id SourceWriter::engine(const std::string& name) {
  const std::string& given = name.empty() ? options_.engine : name;
  if (name.empty()) engine_used_ = true;
  const std::string known_as = given.empty() ? "unknown" : given;
  const auto place = engines_.find(known_as);
  if (place != engines_.end()) return place->second;
  EngineRecord record;
  record.name = known_as;
  return engines_.emplace(known_as, database_.add(record)).first->second;
}

Id SourceWriter::engine(const EngineRecord& engine) {
  EngineRecord whole = engine;
  if (whole.name.empty()) {
    whole.name = options_.engine.empty() ? "unknown" : options_.engine;
    engine_used_ = true;
  }
  const Id id = whole.id();
  if (known_.insert(id).second) database_.add(whole);
  return id;
}

Id SourceWriter::add(OperatorRecord operation) {
  const Id id = operation.id();
  if (known_.insert(id).second) {
    operators_.push_back(std::move(operation));
    ++counts_.operators;
  }
  return id;
}

Id SourceWriter::add(const ModuleRecord& module) {
  const Id id = module.id();
  if (known_.insert(id).second) database_.add(module);
  return id;
}

Id SourceWriter::add(const ModelRecord& model) {
  const Id id = model.id();
  if (!known_.insert(id).second) return id;
  ++counts_.models;
  return database_.add(model);
}

Id SourceWriter::add(MeasurementRecord measurement) {
  measurement.source = source_;
  const Id id = measurement.id();
  // Equal operators of one run are one measurement.
  if (measurement.source_row != row_of_recent_) recent_.clear();
  row_of_recent_ = measurement.source_row;
  if (!recent_.insert(id).second) return id;
  ++counts_.measurements;
  measurements_.push_back(std::move(measurement));
  if (measurements_.size() >= kRowsAtOnce) flush();
  return id;
}

void SourceWriter::add(RunRecord run, std::vector<NodeRecord> nodes) {
  run.source = source_;
  ++counts_.runs;
  counts_.nodes += static_cast<std::int64_t>(nodes.size());
  runs_.emplace_back(std::move(run), std::move(nodes));
}

void SourceWriter::add(RecordingRecord recording) {
  recording.source = source_;
  ++counts_.recordings;
  add_recording(database_.connection(), recording);
}

void SourceWriter::add_latencies(Id measurement, const std::vector<double>& sorted_seconds) {
  flush();
  database_.add_latencies(measurement, sorted_seconds);
}

void SourceWriter::add_count(Id model, Id engine, Id operation, std::int64_t count) {
  operator_counts_[{model, engine}][operation] += count;
}

/// What others refer to goes first.
void SourceWriter::flush() {
  database_.add_source_rows(source_, first_row_, rows_);
  rows_.clear();
  row_bytes_ = 0;
  database_.add(std::span<const OperatorRecord>(operators_));
  operators_.clear();
  database_.add(std::span<const MeasurementRecord>(measurements_));
  measurements_.clear();
  for (const auto& [run, nodes] : runs_) add_run(database_.connection(), run, nodes);
  runs_.clear();
}

void SourceWriter::note_unused_options() {
  if (!options_.machine.empty() && !machine_used_)
    note(fmt::format("--machine '{}' is not used: the source says itself what was measured",
                     options_.machine));
  if (!options_.engine.empty() && !engine_used_)
    note(
        fmt::format("--engine '{}' is not used: the source says itself what ran", options_.engine));
}

void SourceWriter::finish() {
  flush();
  note_unused_options();
  for (const auto& [of, counts] : operator_counts_) {
    std::vector<Database::OperatorCount> list;
    list.reserve(counts.size());
    for (const auto& [operation, count] : counts) list.push_back({operation, count});
    counts_.counts += static_cast<std::int64_t>(list.size());
    database_.add_counts(of.first, of.second, source_, list);
  }
}

}  // namespace jouletree::store
