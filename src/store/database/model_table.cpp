#include "store/database/model_table.hpp"

#include <algorithm>
#include <filesystem>

#include "base/csv.hpp"
#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "store/database/database_runs.hpp"
#include "store/database/figure_columns.hpp"
#include "store/database/import_tables.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

std::string_view first_line(std::string_view text) {
  text = without_byte_order_mark(text);
  return text.substr(0, text.find('\n'));
}

/// Other files may hold anything, also what cannot be split into fields.
bool is_header(std::string_view line) {
  return !line.empty() && line.front() != '{' &&
         std::all_of(line.begin(), line.end(), [](unsigned char letter) {
           return letter >= ' ' || letter == '\r' || letter == '\t';
         });
}

/// Reads rows of a table one after the other.
class RowsReader {
 public:
  explicit RowsReader(const TableRows& table)
      : table_(table),
        figures_(figure_columns(table)),
        name_(model_name_column(table)),
        phase_(table.first_of({"phase", "mode"})),
        shape_(table.column("input_shape")),
        sequence_(table.first_of({"seq_len", "sequence"})),
        batch_(table.first_of({"batch_size", "batch"})),
        device_(table.first_of({"machine", "device", "gpu_config", "hardware"})),
        others_(table.unread_columns()) {}

  [[nodiscard]] ModelRow read() const {
    ModelRow row;
    MeasurementRecord figures;
    (void)set_figures(table_, figures_, figures);
    row.time_s = figures.time_s.value;
    row.energy_j = figures.energy_j.value;
    row.model = table_.text(name_);
    if (row.model.empty()) table_.fail(name_, "is empty; it names the model");
    for (const std::string& other : others_) {
      const std::string& text = table_.text(table_.column(other));
      if (!text.empty()) row.others.emplace(other, text);
    }
    row.batch = table_.above_zero(batch_);
    row.sequence = table_.above_zero(sequence_);
    row.input_shape = table_.shape(shape_);
    row.device = table_.text(device_);
    row.is_training = table_.text(phase_).find("train") != std::string::npos;
    row.line = table_.line();
    row.position = table_.position();
    return row;
  }

 private:
  const TableRows& table_;
  FigureColumns figures_;
  std::optional<std::size_t> name_;
  std::optional<std::size_t> phase_;
  std::optional<std::size_t> shape_;
  std::optional<std::size_t> sequence_;
  std::optional<std::size_t> batch_;
  std::optional<std::size_t> device_;
  std::vector<std::string> others_;
};

}  // namespace

bool names_models(std::string_view text) {
  const std::string_view header = first_line(text);
  if (!is_header(header)) return false;
  const CsvTable columns(header, "table");
  for (const char* const of_operators : {"op_class", "op_type", "type", "op"})
    if (columns.has(of_operators)) return false;
  const std::string line(header);
  return model_name_column(TableRows(line, "table")).has_value();
}

bool is_model_table_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && names_models(MappedFile(path).bytes());
}

ModelTable read_model_table(std::string_view text, const std::string& name) {
  ModelTable read;
  read.name = name;
  TableRows table(text, name);
  const RowsReader rows(table);
  while (table.next())
    if (!table.is_blank()) read.rows.push_back(rows.read());
  if (read.rows.empty())
    throw Error(ErrorKind::BadInput, name + ": holds no rows below its header");
  return read;
}

ModelTable read_model_table_file(const std::string& path) {
  const MappedFile file(path);
  ModelTable table = read_model_table(file.bytes(), path);
  table.folder = fs::path(path).parent_path().string();
  if (table.folder.empty()) table.folder = ".";
  return table;
}

std::vector<ModelTable> database_model_tables(Database& database,
                                              const std::optional<MeasuredPlace>& place) {
  std::vector<ModelTable> tables;
  for (const KeptSource& source : kept_sources(database, {"models"}, place)) {
    ModelTable table = read_model_table(text_of_source(database, source), source.name);
    if (const auto kept = place ? rows_at(database, source, *place) : std::nullopt) {
      std::erase_if(table.rows, [&](const ModelRow& row) { return !kept->contains(row.position); });
    }
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace jouletree::store
