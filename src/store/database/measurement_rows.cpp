#include "store/database/measurement_rows.hpp"

#include <array>

#include <fmt/format.h>

#include "store/database/cells.hpp"

namespace jouletree::store {
namespace {

using sql::Parameter;
using Of = MeasurementRecord::Of;

constexpr std::string_view kColumns =
    "machine_id, engine_id, source_id, source_row, conditions, measured_at, time_s, time_low_s, "
    "time_high_s, time_mean_s, time_trimmed_mean_s, time_deviation_s, time_min_s, time_max_s, "
    "time_provenance, windows, runs, precise, asked_precision, copies, energy_j, energy_low_j, "
    "energy_high_j, above_idle_j, above_idle_low_j, above_idle_high_j, energy_provenance, power_w, "
    "meters, details, trials";

std::vector<Parameter> row_of(const MeasurementRecord& one, Id id) {
  const auto subject = [&](Of of) { return one.of == of ? Parameter(one.subject) : Parameter(); };
  return {id,
          subject(Of::Operator),
          subject(Of::Module),
          subject(Of::Model),
          one.machine,
          one.engine,
          one.source,
          cell(one.source_row),
          std::string_view(one.conditions),
          text_cell(one.measured_at),
          cell(one.time_s.value),
          cell(one.time_s.low),
          cell(one.time_s.high),
          cell(one.time_mean_s),
          cell(one.time_trimmed_mean_s),
          cell(one.time_deviation_s),
          cell(one.time_min_s),
          cell(one.time_max_s),
          one.time_s.value ? text_cell(one.time_provenance) : Parameter(),
          cell(one.windows),
          cell(one.runs),
          cell(one.precise),
          cell(one.asked_precision),
          cell(one.copies),
          cell(one.energy_j.value),
          cell(one.energy_j.low),
          cell(one.energy_j.high),
          cell(one.above_idle_j.value),
          cell(one.above_idle_j.low),
          cell(one.above_idle_j.high),
          text_cell(one.energy_provenance),
          cell(one.power_w),
          text_cell(one.meters),
          text_cell(one.details),
          one.trials.empty() ? Parameter() : Parameter(sql::BlobView{one.trials})};
}

const std::string& add_statement() {
  static const std::string sql = [] {
    std::string places = "?, ?, ?, ?";
    for (const char letter : kColumns)
      if (letter == ',') places += ", ?";
    return fmt::format(
        "INSERT INTO measurements (id, operator_id, module_id, model_id, {}) VALUES ({}, ?) ON "
        "CONFLICT (id) DO NOTHING",
        kColumns, places);
  }();
  return sql;
}

MeasurementRecord record_of(const sql::Rows& rows, const Database::Wanted& wanted) {
  std::size_t column = 1;
  const auto number = [&] { return number_in(rows.value(column++)); };
  const auto whole = [&] { return whole_in(rows.value(column++)); };
  const auto text = [&] { return text_in(rows.value(column++)); };
  const auto figure = [&] {
    Figure read;
    read.value = number();
    read.low = number();
    read.high = number();
    return read;
  };
  MeasurementRecord one;
  one.of = wanted.of;
  one.subject = wanted.subject;
  one.machine = whole().value_or(0);
  one.engine = whole().value_or(0);
  one.source = whole().value_or(0);
  one.source_row = whole();
  one.conditions = text();
  one.measured_at = text();
  one.time_s = figure();
  one.time_mean_s = number();
  one.time_trimmed_mean_s = number();
  one.time_deviation_s = number();
  one.time_min_s = number();
  one.time_max_s = number();
  one.time_provenance = text();
  one.windows = whole();
  one.runs = whole();
  if (const auto precise = whole()) one.precise = *precise != 0;
  one.asked_precision = number();
  one.copies = whole();
  one.energy_j = figure();
  one.above_idle_j = figure();
  one.energy_provenance = text();
  one.power_w = number();
  one.meters = text();
  one.details = text();
  const sql::Value trials = rows.value(column);
  if (const auto* const bytes = std::get_if<sql::Blob>(&trials)) one.trials = bytes->bytes;
  return one;
}

std::vector<DomainRecord> domains_of(sql::Connection& connection, Id measurement) {
  std::vector<DomainRecord> domains;
  const auto rows = connection.query(
      "SELECT domain, energy_j, energy_low_j, energy_high_j, above_idle_j, provenance FROM "
      "energies WHERE measurement_id = ? ORDER BY domain",
      std::array<Parameter, 1>{measurement});
  while (rows->next()) {
    domains.push_back(
        {text_in(rows->value(0)),
         {number_in(rows->value(1)), number_in(rows->value(2)), number_in(rows->value(3))},
         number_in(rows->value(4)),
         text_in(rows->value(5))});
  }
  return domains;
}

std::string_view subject_column(Of of) {
  switch (of) {
    case Of::Operator: return "operator_id";
    case Of::Module: return "module_id";
    case Of::Model: break;
  }
  return "model_id";
}

}  // namespace

void add_measurement_rows(sql::Connection& connection,
                          std::span<const MeasurementRecord> measurements) {
  std::vector<std::vector<Parameter>> rows;
  std::vector<std::vector<Parameter>> domains;
  rows.reserve(measurements.size());
  for (const MeasurementRecord& one : measurements) {
    const Id id = one.id();
    rows.push_back(row_of(one, id));
    for (const DomainRecord& domain : one.domains) {
      domains.push_back({id, std::string_view(domain.domain), cell(domain.energy_j.value),
                         cell(domain.energy_j.low), cell(domain.energy_j.high),
                         cell(domain.above_idle_j), std::string_view(domain.provenance)});
    }
  }
  connection.execute_all(add_statement(), rows);
  if (domains.empty()) return;
  connection.execute_all(
      "INSERT INTO energies (measurement_id, domain, energy_j, energy_low_j, energy_high_j, "
      "above_idle_j, provenance) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (measurement_id, domain) "
      "DO NOTHING",
      domains);
}

std::optional<MeasurementRecord> newest_measurement(
    sql::Connection& connection, const Database::Wanted& wanted,
    const std::function<bool(const MeasurementRecord&)>& suits) {
  const std::string sql = fmt::format(
      "SELECT id, {} FROM measurements WHERE {} = ? AND machine_id = ? AND engine_id = ? AND "
      "conditions = ? ORDER BY measured_at DESC, id",
      kColumns, subject_column(wanted.of));
  std::optional<MeasurementRecord> found;
  Id id = 0;
  {
    const auto rows = connection.query(
        sql, std::array<Parameter, 4>{wanted.subject, wanted.machine, wanted.engine,
                                      std::string_view(wanted.conditions)});
    while (!found && rows->next()) {
      MeasurementRecord one = record_of(*rows, wanted);
      if (!suits(one)) continue;
      id = whole_in(rows->value(0)).value_or(0);
      found = std::move(one);
    }
  }
  if (found) found->domains = domains_of(connection, id);
  return found;
}

std::optional<MeasurementRecord> model_measurement(sql::Connection& connection, Id model,
                                                   Id measurement) {
  const auto rows =
      connection.query(fmt::format("SELECT id, {} FROM measurements WHERE id = ?", kColumns),
                       std::array<Parameter, 1>{measurement});
  Database::Wanted wanted;
  wanted.of = Of::Model;
  wanted.subject = model;
  return rows->next() ? std::optional(record_of(*rows, wanted)) : std::nullopt;
}

}  // namespace jouletree::store
