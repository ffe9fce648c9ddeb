#include "store/database/export.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/number_of.hpp"
#include "base/replaced_file.hpp"
#include "jouletree/error.hpp"
#include "store/database/cells.hpp"
#include "store/database/source_files.hpp"
#include "store/profile_folder.hpp"
#include "store/profile_json.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSourceColumns = "SELECT id, kind, format, name, header FROM sources";

StoredSource source_in(const sql::Rows& rows) {
  return {whole_in(rows.value(0)).value_or(0), text_in(rows.value(1)), text_in(rows.value(2)),
          text_in(rows.value(3)), text_in(rows.value(4))};
}

/// A name that stays below the folder: databases come from others, too.
bool stays_below(const fs::path& name) {
  return !name.empty() && name.is_relative() &&
         std::none_of(name.begin(), name.end(),
                      [](const fs::path& part) { return part == ".." || part == "."; });
}

/// A name that all systems and tools take: "zoo: bert" has a colon and a space.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain = byte >= 0x80 || std::isalnum(byte) != 0 ||
                          std::string_view("-_.+=@").find(letter) != std::string_view::npos;
    if (is_plain || !plain.ends_with('_')) plain += is_plain ? letter : '_';
  }
  return plain;
}

/// Imported ones keep the names of their files.
std::string file_name_of(const StoredSource& source) {
  std::string name = stays_below(source.name) ? source.name : fmt::format("source_{}", source.id);
  return source.was_measured() ? plain_name(name) : name;
}

void make_folder_for(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: cannot be made: {}; name another folder",
                                                 folder.string(), problem.message()));
  }
}

/// Up to `last`, which goes, too.
void remove_empty_folders(fs::path folder, const fs::path& last) {
  std::error_code not_empty;
  while (fs::remove(folder, not_empty) && folder != last) folder = folder.parent_path();
}

using Files = std::vector<std::pair<fs::path, std::string>>;

/// Seconds of single runs, as profiles have them in latency.csv; empty where there are none.
std::string latency_lines(Database& database, Id source) {
  const auto rows = database.connection().query(
      "SELECT l.seconds FROM latencies l JOIN measurements m ON m.id = l.measurement_id WHERE "
      "m.source_id = ? AND m.model_id IS NOT NULL ORDER BY m.id LIMIT 1",
      std::array<sql::Parameter, 1>{source});
  std::string lines;
  if (!rows->next()) return lines;
  const sql::Value cell = rows->value(0);
  if (const auto* const packed = std::get_if<sql::Blob>(&cell))
    for (const double seconds : unpacked_seconds(packed->bytes))
      lines += fmt::format("{}\n", seconds);
  return lines;
}

/// Of a profile that was measured into the database: what tables and profile.json know is not kept
/// as a file a second time.
void add_derived_files(Database& database, const StoredSource& source, const fs::path& folder,
                       Files& files) {
  const auto content_of = [&](const char* name) {
    return std::find_if(files.begin(), files.end(),
                        [&](const auto& file) { return file.first == folder / name; });
  };
  const auto profile = content_of(kProfileFile);
  if (profile == files.end()) return;
  const auto json = parse_json_if_any<nlohmann::ordered_json>(profile->second);
  const auto environment = json.is_object() ? json.find("environment") : json.end();
  if (content_of(kEnvironmentFile) == files.end() && environment != json.end())
    files.emplace_back(folder / kEnvironmentFile, json_text(*environment));
  if (content_of(kLatencyFile) != files.end()) return;
  if (std::string lines = latency_lines(database, source.id); !lines.empty())
    files.emplace_back(folder / kLatencyFile, std::move(lines));
}

void write_files(Database& database, const StoredSource& source, const fs::path& folder) {
  const std::vector<std::string> names = file_names(source.header);
  // All of it is read before anything is written: a damaged row leaves no half of a folder.
  Files files;
  database.read_source_rows(source.id, [&](std::int64_t position, std::string content) {
    const auto place = static_cast<std::size_t>(position);
    // What has no name of a file in this folder gets one.
    const bool named = place < names.size() && stays_below(names[place]) &&
                       fs::path(names[place]).filename() == names[place];
    files.emplace_back(folder / (named ? names[place] : fmt::format("file_{}", position)),
                       std::move(content));
  });
  if (source.was_measured()) add_derived_files(database, source, folder, files);
  make_folder_for(folder);
  for (const auto& [path, content] : files) replace_file(path, content);
}

}  // namespace

bool StoredSource::is_folder() const { return format == "profile" || format == "recording"; }

bool StoredSource::was_measured() const { return kind == "measured"; }

std::vector<StoredSource> stored_sources(Database& database) {
  std::vector<StoredSource> found;
  const auto rows = database.connection().query(
      fmt::format("{} WHERE EXISTS (SELECT 1 FROM source_rows WHERE source_id = sources.id) ORDER "
                  "BY name, id",
                  kSourceColumns),
      {});
  while (rows->next()) found.push_back(source_in(*rows));
  return found;
}

StoredSource find_source(Database& database, const std::string& key_or_name) {
  std::int64_t key = -1;
  const char* const end = key_or_name.data() + key_or_name.size();
  const auto parsed = std::from_chars(key_or_name.data(), end, key);
  if (parsed.ec != std::errc{} || parsed.ptr != end) key = -1;
  const auto rows = database.connection().query(
      fmt::format("{} WHERE id = ? OR name = ? ORDER BY id LIMIT 2", kSourceColumns),
      std::array<sql::Parameter, 2>{key, std::string_view(key_or_name)});
  if (!rows->next()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: there is no source {}; \"jouletree db query 'SELECT id, name FROM "
                            "sources'\" lists them",
                            database.place(), key_or_name));
  }
  const StoredSource found = source_in(*rows);
  if (rows->next()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: several sources are called {}, such as {} and {}; give the number "
                    "of one",
                    database.place(), key_or_name, found.id, whole_in(rows->value(0)).value_or(0)));
  }
  return found;
}

void write_source(Database& database, const StoredSource& source, const fs::path& target) {
  if (source.is_folder()) return write_files(database, source, target);
  ReplacedFile file(target);
  database.read_source_rows(
      source.id, [&](std::int64_t /*position*/, const std::string& row) { file.write(row); });
  file.commit();
}

void write_sources(Database& database, const std::vector<StoredSource>& sources,
                   const fs::path& folder, const std::function<void(std::size_t done)>& progress) {
  std::set<std::string> used;
  std::vector<std::string> failures;
  make_folder_for(folder);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const StoredSource& source = sources[i];
    std::string name = file_name_of(source);
    if (!used.insert(name).second)
      name = fmt::format("{}_{}", source.id, fs::path(name).filename().string());
    used.insert(name);
    const fs::path target = folder / name;
    make_folder_for(target.parent_path());
    try {
      write_source(database, source, target);
    } catch (const Error& error) {
      // A disk that is full is so for the next source, too; a damaged row is not.
      if (error.kind() == ErrorKind::BadInput) failures.emplace_back(error.what());
      remove_empty_folders(target.parent_path(), folder);
      if (error.kind() != ErrorKind::BadInput) throw;
    }
    progress(i + 1);
  }
  if (failures.empty()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}; {} of {} could not be written; the others are in {}",
                          fmt::join(failures, "; "), failures.size(),
                          number_of(sources.size(), "source"), folder.string()));
}

namespace {

/// Of a node and all below it.
void append_to_ids(nlohmann::ordered_json& node, const std::string& end) {
  if (!node.is_object()) return;
  if (const auto id = node.find("id"); id != node.end() && id->is_string())
    *id = id->get<std::string>() + end;
  if (const auto named = node.find("child_nodes"); named != node.end() && named->is_array())
    for (nlohmann::ordered_json& id : *named)
      if (id.is_string()) id = id.get<std::string>() + end;
  if (const auto children = node.find("child_nodes_obj"); children != node.end())
    for (nlohmann::ordered_json& child : *children) append_to_ids(child, end);
}

/// A run that stands there already gets an id of its own: readers refuse the same id twice.
std::string with_own_id(std::string line, std::map<std::string, int>& times) {
  auto tree = parse_json_if_any<nlohmann::ordered_json>(line);
  if (!tree.is_object() || !tree.contains("frontend_tree")) return line;
  auto& root = tree["frontend_tree"];
  if (!root.is_object() || !root.contains("id") || !root["id"].is_string()) return line;
  const auto id = root["id"].get<std::string>();
  const int time = ++times[id];
  if (time == 1) return line;
  append_to_ids(root, fmt::format("#{}", time));
  return tree.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

void export_runs(Database& database, const TakeBytes& take) {
  // Lines of tree files, and those that profiles hold.
  const auto runs = database.connection().query(
      "SELECT r.source_id, r.source_row, s.format FROM runs AS r JOIN sources AS s ON s.id = "
      "r.source_id WHERE s.format IN ('tree', 'profile') ORDER BY r.source_id, r.source_row, r.id",
      {});
  std::vector<std::pair<Id, std::int64_t>> places;
  while (runs->next()) {
    places.emplace_back(whole_in(runs->value(0)).value_or(0), whole_in(runs->value(1)).value_or(0));
  }
  std::map<std::string, int> times;
  for (const auto& [source, row] : places) {
    std::string line = database.source_row(source, row).value_or("");
    if (line.empty()) continue;
    if (!line.ends_with('\n')) line += '\n';
    take(with_own_id(std::move(line), times));
  }
}

}  // namespace jouletree::store
