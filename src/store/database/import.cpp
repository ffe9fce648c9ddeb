#include "store/database/import.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "model/foreign/foreign.hpp"
#include "store/database/cells.hpp"
#include "store/database/import_formats.hpp"
#include "store/profile_folder.hpp"
#include "store/recording.hpp"
#include "tree/other_json.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTreeFormat = "tree";
constexpr const char* kProfileSource = "profile";
constexpr const char* kRecordingFormat = "recording";
/// Databases hold up to a gigabyte in one cell.
constexpr std::uintmax_t kLargestFile = 512U << 20U;

[[noreturn]] void refuse_import(const std::string& name, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", name, problem));
}

/// Of a table: what it lacks to be one of those that can be read.
[[noreturn]] void refuse_table(const std::string& name, const TableRows& table) {
  if (table.column("op_class"))
    refuse_import(name,
                  "it lists operators (op_class), but neither times (runtime_mean_s), nor energies "
                  "(energy_per_iter_mJ), nor counts of a model (model, count)");
  std::string columns;
  constexpr std::size_t kMost = 8;
  for (std::size_t i = 0; i < std::min(kMost, table.columns().size()); ++i)
    columns += (i == 0 ? "" : ", ") + table.columns()[i];
  if (table.columns().size() > kMost) columns += ", …";
  refuse_import(
      name,
      fmt::format("is a table that JouleTree does not know: it needs a column that names "
                  "what was measured (model, arch_str, op_class, or name and type) and "
                  "one that says what it took (latency_ms, time_s, energy_mj, …), but has: {}",
                  columns));
}

/// Rows of a database, in which a measurement would be there twice, and an estimate become
/// measured.
void refuse_own_export(const std::string& name, const TableRows& table) {
  const auto has = [&](const char* column) { return table.column(column).has_value(); };
  if (!has("energy_provenance") || !has("source") || !has("origin")) return;
  const bool is_node = has("run") && has("position") && has("parent");
  if (!is_node && !(has("source_row") && has("conditions"))) return;
  refuse_import(name, fmt::format("is what 'jouletree db export --what {}' writes, for other "
                                  "programs to read; {}",
                                  is_node      ? "nodes"
                                  : has("key") ? "operators"
                                               : "models",
                                  tree::kAdviceForExports));
}

bool looks_like_table(std::string_view header) {
  return header.find_first_of(",;\t") != std::string_view::npos &&
         std::all_of(header.begin(), header.end(), [](unsigned char letter) {
           return letter >= ' ' || letter == '\r' || letter == '\t' || letter == '\n';
         });
}

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

/// What kind of content a text is: nothing for tree files.
const TableFormat* format_of(const ImportedFile& file) {
  if (const auto lost = model::foreign::describe_lost_content(file.path, file.text))
    refuse_import(file.path, *lost);
  if (file.text.starts_with("\xFF\xFE") || file.text.starts_with("\xFE\xFF"))
    refuse_import(file.path,
                  "is UTF-16; save it as UTF-8, for example with 'iconv -f utf-16 -t utf-8'");
  if (without_byte_order_mark(file.text).starts_with('#'))
    refuse_import(
        file.path,
        "line 1: begins with '#'; remove lines of comments, the names of columns come first");
  if (looks_like_json(file.text)) {
    const std::string_view first_line = file.text.substr(0, file.text.find('\n'));
    if (first_line.find("\"frontend_tree\"") != std::string_view::npos) return nullptr;
    const std::string other = tree::other_json(file.text);
    refuse_import(file.path, other.empty()
                                 ? "is JSON, but not a tree file: its lines have no frontend_tree"
                                 : other);
  }
  if (!looks_like_table(without_byte_order_mark(file.text).substr(0, file.text.find('\n')))) {
    refuse_import(
        file.path,
        "is neither a tree file (JSON Lines), nor a table (CSV), nor a folder of a profile or a "
        "recording");
  }
  const TableRows table(file.text, file.path);
  refuse_own_export(file.path, table);
  for (const TableFormat& format : table_formats())
    if (format.fits(table)) return &format;
  refuse_table(file.path, table);
}

std::string content_key(std::string_view bytes) {
  return fmt::format("{:016x}-{}", content_id({bytes}), bytes.size());
}

std::string content_key(const FolderFiles& files) {
  std::vector<std::string_view> texts;
  std::size_t bytes = 0;
  for (const auto& [name, content] : files) {
    texts.emplace_back(name);
    texts.emplace_back(content);
    bytes += content.size();
  }
  return fmt::format("{:016x}-{}-{}", content_id(texts), files.size(), bytes);
}

/// The name under which the same content is there already.
std::optional<std::string> known_name(Database& database, Id source) {
  const auto rows = database.connection().query("SELECT name FROM sources WHERE id = ?",
                                                std::array<sql::Parameter, 1>{source});
  if (!rows->next()) return std::nullopt;
  return text_in(rows->value(0));
}

/// Runs `write` in a transaction, unless the source is there.
template <class Write>
Imported import_once(Database& database, const SourceRecord& source, const ImportOptions& options,
                     const Write& write) {
  Imported result;
  result.format = source.format;
  result.source = source.id();
  sql::Transaction transaction(database.connection());
  database.wait_for_writers();
  if (const auto name = known_name(database, result.source)) {
    result.known = true;
    result.known_as = *name;
    if (!options.origin.empty() || !options.machine.empty() || !options.engine.empty())
      result.notes.emplace_back(
          "it was imported before, so --from, --machine and --engine change nothing; to change "
          "them, import it into a new database");
    return result;
  }
  SourceWriter writer(database, source, options);
  write(writer);
  writer.finish();
  result.counts = writer.counts();
  result.notes = writer.notes();
  transaction.commit();
  return result;
}

/// The text that stands in the database; a header may have a byte order mark and any line end.
std::string shown_header(const TableRows& table) {
  std::string_view header = without_byte_order_mark(table.header());
  return std::string(header.substr(0, header.find_last_not_of("\r\n") + 1));
}

/// What of a table did not become a measurement.
void note_unread(const ImportedFile& file, const TableRows& table, const TableFormat& format,
                 SourceWriter& writer) {
  const std::vector<std::size_t>& lines = writer.skipped_lines();
  if (!lines.empty() && writer.counts().measurements == 0)
    refuse_import(file.path,
                  fmt::format("line {}: tells neither a time nor an energy, and no other line does",
                              lines.front()));
  if (!lines.empty()) {
    constexpr std::size_t kMost = 10;
    const std::size_t shown = std::min(kMost, lines.size());
    writer.note(fmt::format(
        "{} not read, because neither a time nor an energy stands there: line{} {}{}",
        lines.size() == 1 ? "one row was" : fmt::format("{} rows were", lines.size()),
        lines.size() == 1 ? "" : "s",
        fmt::join(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        lines.size() > shown ? fmt::format(" and {} more", lines.size() - shown) : ""));
  }
  const std::vector<std::string> columns = table.unread_columns();
  // Layers have a reader of their own.
  if (columns.empty() || format.read == read_layers) return;
  writer.note(fmt::format("{} not read, only kept: {}",
                          columns.size() == 1 ? "one column is" : "these columns are",
                          fmt::join(columns, ", ")));
}

Imported import_file(Database& database, const ImportPath& path, const ImportOptions& options,
                     const ImportProgress& progress) {
  const MappedFile mapped(path.path);
  const ImportedFile file{path.path.string(), mapped.bytes(), progress};
  const TableFormat* const format = format_of(file);
  SourceRecord source;
  source.format = format == nullptr ? kTreeFormat : format->name;
  source.name = path.name;
  source.origin = options.origin;
  source.content_key = content_key(file.text);
  if (format == nullptr) {
    return import_once(database, source, options,
                       [&](SourceWriter& writer) { read_trees(file, writer); });
  }
  TableRows table(file.text, file.path);
  source.header = shown_header(table);
  return import_once(database, source, options, [&](SourceWriter& writer) {
    format->read(file, table, writer);
    if (writer.counts().rows < 2) refuse_import(file.path, "holds no rows below its header");
    note_unread(file, table, *format, writer);
  });
}

bool is_kept_file(const fs::directory_entry& entry) {
  std::error_code unreadable;
  const std::string name = entry.path().filename().string();
  const std::string type = entry.path().extension().string();
  return entry.is_regular_file(unreadable) && !name.starts_with('.') &&
         (type == ".json" || type == ".jsonl" || type == ".csv" || type == ".txt");
}

FolderFiles files_in(const fs::path& folder) {
  FolderFiles files;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable)) {
    if (!is_kept_file(entry)) continue;
    if (entry.file_size() > kLargestFile)
      refuse_import(entry.path().string(), "is larger than 512 MiB; move it elsewhere");
    const MappedFile mapped(entry.path());
    files.emplace_back(entry.path().filename().string(), mapped.bytes());
  }
  if (unreadable) refuse_import(folder.string(), unreadable.message());
  std::sort(files.begin(), files.end());
  return files;
}

Imported import_folder(Database& database, const ImportPath& path, const ImportOptions& options) {
  const bool is_profile = holds_profile(path.path);
  const FolderFiles files = files_in(path.path);
  nlohmann::json names = nlohmann::json::array();
  for (const auto& [name, content] : files) names.push_back(name);
  SourceRecord source;
  source.format = is_profile ? kProfileSource : kRecordingFormat;
  source.name = path.name;
  source.origin = options.origin;
  source.header = names.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  source.content_key = content_key(files);
  return import_once(database, source, options, [&](SourceWriter& writer) {
    for (std::size_t i = 0; i < files.size(); ++i)
      writer.keep(static_cast<std::int64_t>(i), files[i].second);
    if (is_profile) {
      import_profile(path.path, files, writer);
    } else {
      import_recording(path.path, writer);
    }
  });
}

}  // namespace

const std::vector<TableFormat>& table_formats() {
  static const std::vector<TableFormat> formats = {
      {"irene-features", is_feature_table, read_features},
      {"operator-counts", is_count_table, read_counts},
      {"operators", is_operator_table, read_operators},
      {"layers", is_layer_table, read_layers},
      {"models", is_model_table, read_models}};
  return formats;
}

Imported import_source(Database& database, const ImportPath& path, const ImportOptions& options,
                       const ImportProgress& progress) {
  if (!path.problem.empty()) throw Error(ErrorKind::BadInput, path.problem);
  return path.is_folder ? import_folder(database, path, options)
                        : import_file(database, path, options, progress);
}

}  // namespace jouletree::store
