#include "store/database/database_runs.hpp"

#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jouletree/error.hpp"
#include "jouletree/operator_csv.hpp"
#include "store/database/cells.hpp"
#include "store/database/place_record.hpp"
#include "store/database/source_files.hpp"
#include "store/profile_folder.hpp"

namespace jouletree::store {
namespace {

TreeRuns runs_in(const KeptSource& source, const std::string& text) {
  const bool is_table = source.format == "operators" || source.format == "layers";
  return is_table ? parse_operator_csv(text, source.name) : read_tree_lines(text, source.name);
}

/// When something of a source was measured at a place, last; empty where nobody knows.
std::string newest_of(Database& database, const KeptSource& source, const MeasuredPlace& place) {
  const auto rows = database.connection().query(
      "SELECT max(measured_at) FROM measurements WHERE source_id = ? AND machine_id = ? AND "
      "engine_id = ?",
      std::array<sql::Parameter, 3>{source.id, place.machine, place.engine});
  return rows->next() ? text_in(rows->value(0)) : "";
}

}  // namespace

std::vector<KeptSource> kept_sources(Database& database, const std::vector<std::string>& formats,
                                     const std::optional<MeasuredPlace>& place) {
  std::string sql =
      fmt::format("SELECT id, format, name, header FROM sources WHERE format IN ('{}')",
                  fmt::join(formats, "', '"));
  std::vector<sql::Parameter> parameters;
  if (place) {
    sql +=
        " AND id IN (SELECT source_id FROM measurements WHERE machine_id = ? AND engine_id = ? "
        "UNION SELECT source_id FROM runs WHERE machine_id = ? AND engine_id = ?)";
    parameters = {place->machine, place->engine, place->machine, place->engine};
  }
  std::vector<KeptSource> sources;
  const auto rows = database.connection().query(sql + " ORDER BY added_at, id", parameters);
  while (rows->next()) {
    sources.push_back({whole_in(rows->value(0)).value_or(0), text_in(rows->value(1)),
                       text_in(rows->value(2)), text_in(rows->value(3))});
  }
  return sources;
}

std::string text_of_source(Database& database, const KeptSource& source) {
  const bool is_folder = source.format == "profile";
  const std::int64_t wanted = is_folder ? file_position(source.header, kTreeFile).value_or(0) : 0;
  std::string text;
  database.read_source_rows(source.id, [&](std::int64_t position, const std::string& row) {
    if (!is_folder || position == wanted) text += row;
  });
  return text;
}

std::optional<std::set<std::int64_t>> rows_at(Database& database, const KeptSource& source,
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

std::vector<TreeRun> database_runs(Database& database, const std::optional<MeasuredPlace>& place,
                                   const Warn& warn) {
  std::vector<TreeRun> runs;
  std::optional<MeasuredOn> where;
  if (place) where = measured_on(database, *place);
  if (where == MeasuredOn()) where.reset();
  // Those that hold operators, modules or models which predictors can learn from.
  for (const KeptSource& source :
       kept_sources(database, {"tree", "operators", "layers", "profile"}, place)) {
    const std::string text = text_of_source(database, source);
    if (text.empty()) continue;
    TreeRuns read = runs_in(source, text);
    for (const std::string& warning : read.warnings) warn(warning);
    const auto kept = place ? rows_at(database, source, *place) : std::nullopt;
    const std::string date = place ? newest_of(database, source, *place) : "";
    for (TreeRun& run : read.runs) {
      // Lines count from 1, rows of sources from 0.
      if (kept && !kept->contains(static_cast<std::int64_t>(run.line) - 1)) continue;
      run.measured_on = where;
      run.measured_at = date;
      runs.push_back(std::move(run));
    }
  }
  if (runs.empty() && kept_sources(database, {"models"}, place).empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds nothing to learn from: no profile, no measured operators and no "
                    "table of whole models{}",
                    database.place(), place ? " of " + place->text() : ""));
  }
  return runs;
}

}  // namespace jouletree::store
