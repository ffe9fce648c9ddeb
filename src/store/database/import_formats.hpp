#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jouletree/tree_run.hpp"
#include "store/database/import.hpp"
#include "store/database/source_writer.hpp"
#include "store/database/table_rows.hpp"

namespace jouletree::store {

/// A file that is imported.
struct ImportedFile {
  std::string path;
  std::string_view text;
  const ImportProgress& progress;
};

/// One kind of table: which headers are of that kind, and who reads it.
struct TableFormat {
  const char* name;
  bool (*fits)(const TableRows& table);
  /// Takes all rows, and keeps each with keep().
  void (*read)(const ImportedFile& file, TableRows& table, SourceWriter& writer);
};

/// In the order in which they are tried.
[[nodiscard]] const std::vector<TableFormat>& table_formats();

// One file per format.
[[nodiscard]] bool is_feature_table(const TableRows& table);
void read_features(const ImportedFile& file, TableRows& table, SourceWriter& writer);
[[nodiscard]] bool is_count_table(const TableRows& table);
void read_counts(const ImportedFile& file, TableRows& table, SourceWriter& writer);
[[nodiscard]] bool is_operator_table(const TableRows& table);
void read_operators(const ImportedFile& file, TableRows& table, SourceWriter& writer);
[[nodiscard]] bool is_layer_table(const TableRows& table);
void read_layers(const ImportedFile& file, TableRows& table, SourceWriter& writer);
[[nodiscard]] bool is_model_table(const TableRows& table);
void read_models(const ImportedFile& file, TableRows& table, SourceWriter& writer);

/// A tree file: JSON Lines.
void read_trees(const ImportedFile& file, SourceWriter& writer);

/// Files of a folder: names and contents.
using FolderFiles = std::vector<std::pair<std::string, std::string>>;
void import_profile(const std::filesystem::path& folder, const FolderFiles& files,
                    SourceWriter& writer);
void import_recording(const std::filesystem::path& folder, SourceWriter& writer);

/// Where a run was measured; empty: unknown.
struct RunPlace {
  Id machine = 0;
  Id engine = 0;
  std::int64_t source_row = 0;
  bool has_rows = false;  ///< Each operator has a row of its own in the source.
  std::string conditions{};
  std::string measured_at{};
};
/// Adds the run with its nodes, and what was measured of its operators, modules and the whole.
/// `whole` is what is known of the model beside what the run tells. Returns the measurement of the
/// whole, where there is one.
std::optional<Id> add_tree_run(const TreeRun& run, const RunPlace& place, SourceWriter& writer,
                               ModelRecord model = {}, MeasurementRecord whole = {});

/// All nodes of a run, in its order.
[[nodiscard]] std::vector<NodeRecord> node_records(const TreeRun& run);

/// An operator of which a file tells its type, sizes and counts, but no key.
[[nodiscard]] OperatorRecord operator_of(const RunNode& node);

}  // namespace jouletree::store
