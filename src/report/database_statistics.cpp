#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "report/database_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;
using store::DatabaseStatistics;

/// The tables that people ask for, in the order in which they are shown.
constexpr const char* kShownTables[] = {"machines", "engines",      "operators", "modules",
                                        "models",   "measurements", "runs",      "nodes",
                                        "scores",   "recordings",   "sources"};

std::int64_t rows_of(const DatabaseStatistics& found, const std::string& table) {
  const auto place = found.tables.find(table);
  return place == found.tables.end() ? 0 : place->second;
}

void print_counts(const DatabaseStatistics& found, std::ostream& out) {
  TextTable table({{"what", TextTable::Align::Left}, {"rows", TextTable::Align::Right}});
  for (const char* const name : kShownTables)
    table.add_row({name, with_separators(rows_of(found, name))});
  table.print(out);
}

std::string or_dash(const std::string& text) { return text.empty() ? "–" : text; }

void print_kinds(const DatabaseStatistics& found, std::ostream& out) {
  if (found.measurements.empty()) return;
  out << '\n';
  TextTable table({{"measurements of", TextTable::Align::Left},
                   {"time", TextTable::Align::Left},
                   {"energy", TextTable::Align::Left},
                   {"rows", TextTable::Align::Right}});
  for (const store::MeasurementCount& one : found.measurements) {
    table.add_row({one.level + "s", or_dash(one.time_provenance), or_dash(one.energy_provenance),
                   with_separators(one.count)});
  }
  table.print(out);
}

void print_machines(const DatabaseStatistics& found, std::ostream& out) {
  if (found.machines.empty()) return;
  out << '\n';
  TextTable table({{"machine", TextTable::Align::Left},
                   {"engine", TextTable::Align::Left},
                   {"threads", TextTable::Align::Right},
                   {"operators", TextTable::Align::Right},
                   {"modules", TextTable::Align::Right},
                   {"models", TextTable::Align::Right},
                   {"newest", TextTable::Align::Left}});
  for (const store::MachineCount& one : found.machines) {
    table.add_row({printable(one.machine),
                   printable(one.engine + (one.version.empty() ? "" : " " + one.version)),
                   one.threads ? std::to_string(*one.threads) : "–", with_separators(one.operators),
                   with_separators(one.modules), with_separators(one.models), or_dash(one.newest)});
  }
  table.print(out);
}

}  // namespace

void print_statistics_table(const DatabaseStatistics& found, std::ostream& out) {
  out << found.place;
  if (found.bytes) out << ": " << shortened_bytes(static_cast<double>(*found.bytes));
  if (!found.oldest.empty()) {
    out << fmt::format(", measured {}", found.oldest == found.newest
                                            ? found.oldest
                                            : found.oldest + " to " + found.newest);
  }
  out << "\n\n";
  print_counts(found, out);
  print_kinds(found, out);
  print_machines(found, out);
}

void print_statistics_json(const DatabaseStatistics& found, std::ostream& out) {
  Json json = {{"database", found.place},
               {"schema", found.schema},
               {"size_bytes", or_null(found.bytes)},
               {"oldest", text_or_null(found.oldest)},
               {"newest", text_or_null(found.newest)},
               {"tables", found.tables}};
  Json& kinds = json["measurements"] = Json::array();
  for (const store::MeasurementCount& one : found.measurements) {
    kinds.push_back({{"level", one.level},
                     {"time_provenance", text_or_null(one.time_provenance)},
                     {"energy_provenance", text_or_null(one.energy_provenance)},
                     {"count", one.count}});
  }
  Json& sources = json["sources"] = Json::array();
  for (const store::SourceCount& one : found.sources)
    sources.push_back({{"kind", one.kind}, {"format", one.format}, {"count", one.count}});
  Json& machines = json["machines"] = Json::array();
  for (const store::MachineCount& one : found.machines) {
    machines.push_back({{"machine", one.machine},
                        {"engine", one.engine},
                        {"version", text_or_null(one.version)},
                        {"threads", or_null(one.threads)},
                        {"operators", one.operators},
                        {"modules", one.modules},
                        {"models", one.models},
                        {"newest", text_or_null(one.newest)}});
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
