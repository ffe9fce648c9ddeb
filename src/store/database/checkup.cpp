#include "store/database/checkup.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "store/database/cells.hpp"
#include "store/database/deflated.hpp"
#include "store/database/schema.hpp"

namespace jouletree::store {
namespace {

/// Merging refuses what is damaged, and rows whose partners are lost.
constexpr const char* kExport =
    "restore a backup, or write the sources with 'jouletree db export -o FOLDER' and import the "
    "folder into a new database";

/// Where the database itself cannot read what it holds.
std::string advice_for_damage(const sql::Connection& connection) {
  if (connection.dialect() != sql::Dialect::Sqlite)
    return "restore a backup, or ask whoever runs the server";
  return fmt::format(
      "restore a backup, or rescue what can be read into a new database: sqlite3 '{}' .recover | "
      "sqlite3 NEW",
      connection.place());
}

std::int64_t count_of_rows(sql::Connection& connection, const std::string& query) {
  const auto rows = connection.query("SELECT count(*) FROM " + query, {});
  return rows->next() ? whole_in(rows->value(0)).value_or(0) : 0;
}

/// True where the tables can be looked at.
bool check_schema(sql::Connection& connection, DatabaseCheckup& found) {
  found.schema = schema_version(connection);
  if (!found.schema) {
    found.problems.push_back({"it holds no tables of JouleTree",
                              "name another database; 'jouletree db import FILE' makes one"});
    return false;
  }
  if (*found.schema > kSchemaVersion) {
    found.problems.push_back({fmt::format("it has the schema {}, and this program knows {}",
                                          *found.schema, kSchemaVersion),
                              "update JouleTree"});
    return false;
  }
  if (*found.schema < kSchemaVersion) {
    found.problems.push_back({fmt::format("it has the schema {}, and this program writes {}",
                                          *found.schema, kSchemaVersion),
                              "'jouletree db doctor --migrate' brings it up to date"});
    return false;
  }
  return true;
}

/// What a query counts must be nothing.
struct Unwanted {
  const char* query;
  const char* noun;
  const char* what;
  const char* advice;
};

constexpr Unwanted kUnwanted[] = {
    {"sources WHERE kind = 'imported' AND NOT EXISTS (SELECT 1 FROM source_rows WHERE source_id = "
     "sources.id)",
     "source", "without the rows that were imported", "import the files again into a new database"},
    {"measurements WHERE time_s IS NULL AND energy_j IS NULL", "measurement",
     "with neither time nor energy", "whoever wrote them wrote too little; tell them"},
    {"measurements WHERE time_s <= 0 OR energy_j < 0", "measurement",
     "with a time of 0 or less, or an energy below 0",
     "import their sources again into a new database"},
    {"runs WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE run_id = runs.id)", "run", "without nodes",
     "import their sources again into a new database"},
    {"runs WHERE NOT EXISTS (SELECT 1 FROM source_rows WHERE source_id = runs.source_id AND "
     "position = runs.source_row)",
     "run", "whose row in its source is missing",
     "import their sources again into a new database"}};

void check_content(sql::Connection& connection, DatabaseCheckup& found) {
  for (const Unwanted& one : kUnwanted) {
    const std::int64_t count = count_of_rows(connection, one.query);
    if (count > 0)
      found.problems.push_back(
          {fmt::format("it has {} {}", number_of(count, one.noun), one.what), one.advice});
  }
}

bool is_readable(const sql::Rows& rows) {
  const sql::Value content = rows.value(1);
  const auto* const blob = std::get_if<sql::Blob>(&content);
  const auto size = whole_in(rows.value(0));
  if (blob == nullptr || !size || *size < 0) return false;
  const auto bytes = static_cast<std::size_t>(*size);
  if (blob->bytes.size() == bytes) return true;
  try {
    return inflated(blob->bytes, bytes).size() == bytes;
  } catch (const std::exception&) {
    return false;
  }
}

void check_rows(sql::Connection& connection, DatabaseCheckup& found,
                const std::function<void(std::int64_t done, std::int64_t total)>& progress) {
  const std::int64_t total = count_of_rows(connection, "source_rows");
  const auto rows = connection.query("SELECT size, content FROM source_rows", {});
  std::int64_t unreadable = 0;
  for (std::int64_t done = 1; rows->next(); ++done) {
    if (!is_readable(*rows)) ++unreadable;
    progress(done, total);
  }
  if (unreadable == 0) return;
  found.problems.push_back(
      {fmt::format("{} of sources cannot be read", number_of(unreadable, "row")), kExport});
}

/// What a program that was ended left behind is read along, and goes with the next that writes.
void note_log(const sql::Connection& connection, DatabaseCheckup& found) {
  if (connection.dialect() != sql::Dialect::Sqlite) return;
  std::error_code absent;
  const auto bytes = std::filesystem::file_size(connection.place() + "-wal", absent);
  if (absent || bytes == 0) return;
  found.notes.push_back(
      fmt::format("{}-wal holds {} that were written last; another program uses the database, or "
                  "was ended while it did. Keep both files together",
                  connection.place(), shortened_bytes(static_cast<double>(bytes))));
}

}  // namespace

DatabaseCheckup check_database(
    sql::Connection& connection,
    const std::function<void(std::int64_t done, std::int64_t total)>& progress) {
  DatabaseCheckup found;
  found.place = connection.place();
  note_log(connection, found);
  const std::vector<std::string> damage = connection.integrity_problems();
  for (const std::string& problem : damage) {
    const bool is_readable_still = problem.find(" refers to a row of ") != std::string::npos;
    found.problems.push_back(
        {problem, is_readable_still ? kExport : advice_for_damage(connection)});
  }
  if (!damage.empty() || !check_schema(connection, found)) return found;
  check_content(connection, found);
  check_rows(connection, found, progress);
  return found;
}

}  // namespace jouletree::store
