#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "store/database/database.hpp"
#include "store/database/import.hpp"
#include "store/database/run_rows.hpp"

namespace jouletree::store {

/// Takes what one source holds and adds it to the database in batches. Everything is there after
/// finish() only; the caller has a transaction around it.
class SourceWriter {
 public:
  /// Adds the source itself.
  SourceWriter(Database& database, const SourceRecord& source, const ImportOptions& options);

  [[nodiscard]] Id source() const { return source_; }
  [[nodiscard]] const ImportedCounts& counts() const { return counts_; }

  /// What people should know about this import, one sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  void note(std::string text) { notes_.push_back(std::move(text)); }
  /// A row that tells neither a time nor an energy: it is kept, and named in a note.
  void skip_line(std::size_t line) { skipped_lines_.push_back(line); }
  [[nodiscard]] const std::vector<std::size_t>& skipped_lines() const { return skipped_lines_; }
  /// --machine was given.
  [[nodiscard]] bool knows_machine() const { return !options_.machine.empty(); }

  /// A piece of the source, as it is.
  void keep(std::int64_t position, std::string_view text);

  /// Who measured. Where the source does not say, what the options say, else a machine of which
  /// nothing but this source is known.
  [[nodiscard]] Id machine(const std::string& name);
  [[nodiscard]] Id machine(const MachineRecord& machine);
  [[nodiscard]] Id engine(const std::string& name);
  [[nodiscard]] Id engine(const EngineRecord& engine);

  Id add(OperatorRecord operation);
  Id add(const ModuleRecord& module);
  Id add(const ModelRecord& model);
  /// Of this source; returns its key.
  Id add(MeasurementRecord measurement);
  void add(RunRecord run, std::vector<NodeRecord> nodes);
  void add(RecordingRecord recording);
  void add_latencies(Id measurement, const std::vector<double>& sorted_seconds);
  /// Counts of the same operator add up.
  void add_count(Id model, Id engine, Id operation, std::int64_t count);

  void finish();

 private:
  void flush();
  void note_unused_options();

  Database& database_;
  const ImportOptions& options_;
  Id source_;
  std::string unknown_machine_;
  ImportedCounts counts_;
  std::vector<std::string> notes_;
  std::vector<std::size_t> skipped_lines_;
  bool machine_used_ = false;  ///< What the options say.
  bool engine_used_ = false;
  std::int64_t first_row_ = 0;  ///< Position of the first of rows_.
  std::size_t row_bytes_ = 0;
  std::vector<std::string> rows_;
  std::map<std::string, Id> machines_;
  std::map<std::string, Id> engines_;
  std::unordered_set<Id> known_;   ///< Operators, modules and models that were added.
  std::unordered_set<Id> recent_;  ///< Measurements of one row of the source.
  std::optional<std::int64_t> row_of_recent_;
  std::vector<OperatorRecord> operators_;
  std::vector<MeasurementRecord> measurements_;
  std::vector<std::pair<RunRecord, std::vector<NodeRecord>>> runs_;
  std::map<std::pair<Id, Id>, std::map<Id, std::int64_t>> operator_counts_;
};

}  // namespace jouletree::store
