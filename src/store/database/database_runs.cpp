#include "store/database/database_runs.hpp"

#include <array>
#include <set>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/operator_csv.hpp"
#include "store/database/cells.hpp"
#include "store/database/source_files.hpp"
#include "store/profile_folder.hpp"

namespace jouletree::store {
namespace {

struct Source {
  Id id = 0;
  std::string format;
  std::string name;
  std::string header;
};

/// Formats that hold operators, modules or models which predictors can learn from.
std::vector<Source> sources_in(Database& database, const std::optional<MeasuredPlace>& place) {
  std::string sql =
      "SELECT id, format, name, header FROM sources WHERE format IN ('tree', 'operators', "
      "'layers', 'profile')";
  std::vector<sql::Parameter> parameters;
  if (place) {
    sql +=
        " AND id IN (SELECT source_id FROM measurements WHERE machine_id = ? AND engine_id = ? "
        "UNION SELECT source_id FROM runs WHERE machine_id = ? AND engine_id = ?)";
    parameters = {place->machine, place->engine, place->machine, place->engine};
  }
  std::vector<Source> sources;
  const auto rows = database.connection().query(sql + " ORDER BY added_at, id", parameters);
  while (rows->next()) {
    sources.push_back({whole_in(rows->value(0)).value_or(0), text_in(rows->value(1)),
                       text_in(rows->value(2)), text_in(rows->value(3))});
  }
  return sources;
}

std::string text_of_source(Database& database, const Source& source) {
  const bool is_folder = source.format == "profile";
  const std::int64_t wanted = is_folder ? file_position(source.header, kTreeFile).value_or(0) : 0;
  std::string text;
  database.read_source_rows(source.id, [&](std::int64_t position, const std::string& row) {
    if (!is_folder || position == wanted) text += row;
  });
  return text;
}

TreeRuns runs_in(const Source& source, const std::string& text) {
  const bool is_table = source.format == "operators" || source.format == "layers";
  return is_table ? parse_operator_csv(text, source.name) : read_tree_lines(text, source.name);
}

/// Rows of a source that were measured at a place. Nothing: all of them were.
std::optional<std::set<std::int64_t>> rows_at(Database& database, const Source& source,
                                              const MeasuredPlace& place) {
  const auto elsewhere = database.connection().query(
      "SELECT 1 FROM measurements WHERE source_id = ? AND (machine_id <> ? OR engine_id <> ?) "
      "LIMIT "
      "1",
      std::array<sql::Parameter, 3>{source.id, place.machine, place.engine});
  if (!elsewhere->next()) return std::nullopt;
  std::set<std::int64_t> rows;
  const auto found = database.connection().query(
      "SELECT DISTINCT source_row FROM measurements WHERE source_id = ? AND machine_id = ? AND "
      "engine_id = ? UNION SELECT source_row FROM runs WHERE source_id = ? AND machine_id = ? AND "
      "engine_id = ?",
      std::array<sql::Parameter, 6>{source.id, place.machine, place.engine, source.id,
                                    place.machine, place.engine});
  while (found->next())
    if (const auto row = whole_in(found->value(0))) rows.insert(*row);
  return rows;
}

}  // namespace

std::vector<TreeRun> database_runs(Database& database, const std::optional<MeasuredPlace>& place,
                                   const Warn& warn) {
  std::vector<TreeRun> runs;
  for (const Source& source : sources_in(database, place)) {
    const std::string text = text_of_source(database, source);
    if (text.empty()) continue;
    TreeRuns read = runs_in(source, text);
    for (const std::string& warning : read.warnings) warn(warning);
    const auto kept = place ? rows_at(database, source, *place) : std::nullopt;
    for (TreeRun& run : read.runs) {
      // Lines count from 1, rows of sources from 0.
      if (kept && !kept->contains(static_cast<std::int64_t>(run.line) - 1)) continue;
      runs.push_back(std::move(run));
    }
  }
  if (runs.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds nothing to learn from: no profile and no measured operators{}",
                    database.place(), place ? " of " + place->text() : ""));
  }
  return runs;
}

}  // namespace jouletree::store
