#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "base/number_of.hpp"
#include "report/database_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

std::string counts_text(const store::ImportedCounts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t count, std::string_view noun) {
    if (count > 0) parts.push_back(number_of(count, noun));
  };
  add(counts.measurements, "measurement");
  add(counts.operators, "operator");
  add(counts.models, "model");
  add(counts.runs, "run");
  add(counts.nodes, "node");
  add(counts.counts, "operator count");
  add(counts.recordings, "recording");
  if (parts.empty()) return number_of(counts.rows, "row");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string import_text(const ImportLine& line) {
  if (!line.failure.empty()) return line.failure;
  if (line.imported.known) {
    return fmt::format("{}: nothing to do, the same content is there as {} (source {})", line.path,
                       line.imported.known_as, line.imported.source);
  }
  return fmt::format("{}: {} ({}, source {})", line.path, counts_text(line.imported.counts),
                     line.imported.format, line.imported.source);
}

void print_imports_json(const std::vector<ImportLine>& lines, std::ostream& out) {
  Json list = Json::array();
  for (const ImportLine& line : lines) {
    const store::ImportedCounts& counts = line.imported.counts;
    const bool failed = !line.failure.empty();
    list.push_back({{"path", line.path},
                    {"failure", text_or_null(line.failure)},
                    {"format", failed ? Json(nullptr) : Json(line.imported.format)},
                    {"source", failed ? Json(nullptr) : Json(line.imported.source)},
                    {"was_there", line.imported.known},
                    {"rows", counts.rows},
                    {"operators", counts.operators},
                    {"models", counts.models},
                    {"measurements", counts.measurements},
                    {"runs", counts.runs},
                    {"nodes", counts.nodes},
                    {"operator_counts", counts.counts},
                    {"recordings", counts.recordings},
                    {"notes", line.imported.notes}});
  }
  out << Json{{"imports", list}}.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
