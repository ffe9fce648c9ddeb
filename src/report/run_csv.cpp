#include "report/run_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/csv.hpp"
#include "store/calendar.hpp"
#include "store/missing_parts.hpp"
#include "store/row_energy.hpp"
#include "store/run_above_idle.hpp"

namespace jouletree::report {
namespace {

using store::PowerRow;

std::optional<double> as_double(const std::optional<int>& number) {
  return number ? std::optional<double>(*number) : std::nullopt;
}

void set_energy(const StoredTotal& total, CsvSheet& sheet) {
  sheet.set("energy_j", total.energy_j.value);
  sheet.set("energy_low_j", total.energy_j.low);
  sheet.set("energy_high_j", total.energy_j.high);
  sheet.set("provenance", total.provenance);
  sheet.set("summed", fmt::format("{}", fmt::join(total.summed, " ")));
  sheet.set("may_lack", fmt::format("{}", fmt::join(total.missing, " ")));
  sheet.set("energy_above_idle_j",
            store::known_above_idle(total.above_idle_j, total.energy_j).value);
  sheet.set("power_w", total.power_w);
  sheet.set("peak_power_w", total.peak_power_w);
}

void add_run(const std::string& folder, const StoredRun& run, const store::DeriveMetrics& derive,
             CsvSheet& sheet) {
  sheet.begin_row();
  sheet.set("folder", folder);
  sheet.set("run", std::to_string(run.number));
  sheet.set("command", fmt::format("{}", fmt::join(run.command, " ")));
  sheet.set("begin", run.begin);
  sheet.set("end", run.end);
  sheet.set("exit_code", as_double(run.exit_code));
  sheet.set("signal", as_double(run.signal));
  sheet.set("complete", std::string(run.complete ? "true" : "false"));
  sheet.set("time_s", run.time_s);
  set_energy(run.total, sheet);
  sheet.set("cpu_time_s", run.cpu_time_s);
  sheet.set("busy_cpus", run.busy_cpus);
  sheet.set("cpu_share", run.cpu_share);
  sheet.set("peak_pss_bytes", run.peak_pss_bytes);
  sheet.set("peak_rss_bytes", run.peak_rss_bytes);
  if (derive) {
    const nlohmann::ordered_json derived = derive(run.total.energy_j, run.total.provenance);
    for (const auto& [name, metric] : derived.items()) {
      const bool known = metric.contains("value") && metric["value"].is_number();
      sheet.set(name, known ? std::optional(metric["value"].get<double>()) : std::nullopt);
    }
  }
  for (const StoredDomain& domain : run.domains)
    sheet.set("energy_j:" + domain.name, domain.energy_j.value);
}

const StoredRun& run_of_line(const store::Recording& recording, const PowerRow& row) {
  static const StoredRun unknown;
  for (const StoredRun& run : recording.runs.runs)
    if (run.number == row.run) return run;
  return unknown;
}

void add_line(const store::Recording& recording, const PowerRow& row, const PowerRow* before,
              CsvSheet& sheet) {
  if (before != nullptr && before->run != row.run) before = nullptr;
  const auto missing = store::missing_in(row, before, run_of_line(recording, row));
  sheet.begin_row();
  sheet.set("folder", recording.folder.string());
  sheet.set("run", std::to_string(row.run));
  sheet.set("date", store::date_text(row.at));
  sheet.set("time_s", store::time_of(row, before));
  sheet.set("power_w", row.total_w);
  sheet.set("energy_j", store::total_energy_of(row, before));
  sheet.set("provenance", row.provenance);
  sheet.set("may_lack", fmt::format("{}", fmt::join(missing, " ")));
  sheet.set("busy_cpus", row.busy_cpus);
  sheet.set("cpu_share", row.cpu_share);
  sheet.set("pss_bytes", row.pss_bytes);
  sheet.set("uss_bytes", row.uss_bytes);
  for (const store::RowDomain& domain : row.domains)
    sheet.set("power_w:" + domain.name, domain.power_w);
  const auto set_cards = [&](const char* what, const std::map<std::string, double>& values) {
    for (const auto& [card, value] : values) sheet.set(fmt::format("{}:gpu-{}", what, card), value);
  };
  set_cards("memory_bytes", row.gpu_memory_bytes);
  set_cards("sm_share", row.gpu_sm_share);
  set_cards("card_memory_bytes", row.card_memory_bytes);
  set_cards("card_utilisation", row.card_utilisation);
}

}  // namespace

void print_runs_csv(const std::vector<store::Recording>& recordings,
                    const store::DeriveMetrics& derive, std::ostream& out) {
  CsvSheet sheet;
  for (const store::Recording& recording : recordings) {
    for (const StoredRun& run : recording.runs.runs)
      add_run(recording.folder.string(), run, derive, sheet);
  }
  sheet.print(out);
}

void print_lines_csv(const std::vector<store::Recording>& recordings, std::ostream& out) {
  CsvSheet sheet;
  for (const store::Recording& recording : recordings) {
    const PowerRow* before = nullptr;
    for (const PowerRow& row : recording.power.rows) {
      add_line(recording, row, before, sheet);
      before = &row;
    }
  }
  sheet.print(out);
}

}  // namespace jouletree::report
