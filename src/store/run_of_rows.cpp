// Summaries of runs that left nothing but their lines.
#include <algorithm>
#include <set>

#include "meters/total_choice.hpp"
#include "store/calendar.hpp"
#include "store/missing_parts.hpp"
#include "store/recorded_power.hpp"
#include "store/row_energy.hpp"

namespace jouletree::store {
namespace {

using Rows = std::vector<const PowerRow*>;

const PowerRow* row_before(const Rows& rows, std::size_t place) {
  return place > 0 ? rows[place - 1] : nullptr;
}

/// Time that lines are about, and how many stretches of it there are.
void add_times(const Rows& rows, StoredRun& run) {
  run.time_s = 0;
  double recorded_s = 0;
  int stretches = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto time_s = time_of(*rows[i], row_before(rows, i));
    run.time_s = *run.time_s + time_s.value_or(0);
    if (!time_s || rows[i]->after_hole) continue;
    recorded_s += *time_s;
    ++stretches;
  }
  if (stretches > 0) run.interval_s = recorded_s / stretches;
}

StoredDomain domain_of(const Rows& rows, const RowDomain& like) {
  StoredDomain domain;
  domain.name = like.name;
  domain.level = like.level;
  domain.provenance = like.provenance;
  double covered_s = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const RowDomain& here : rows[i]->domains) {
      if (here.name != like.name || !here.power_w) continue;
      domain.peak_power_w = std::max(domain.peak_power_w.value_or(*here.power_w), *here.power_w);
    }
    const auto energy = energy_of(like.name, *rows[i], row_before(rows, i));
    if (!energy) continue;
    domain.energy_j.value = domain.energy_j.value.value_or(0) + energy->energy_j;
    covered_s += energy->covered_s;
  }
  domain.covered_s = covered_s;
  if (domain.energy_j.value && covered_s > 0) domain.power_w = *domain.energy_j.value / covered_s;
  return domain;
}

/// Domains in the order in which they first appear.
std::vector<RowDomain> domains_in(const Rows& rows) {
  std::vector<RowDomain> found;
  for (const PowerRow* row : rows) {
    for (const RowDomain& domain : row->domains) {
      const bool known = std::any_of(found.begin(), found.end(), [&](const RowDomain& other) {
        return other.name == domain.name;
      });
      if (!known) found.push_back(domain);
    }
  }
  return found;
}

void add_once(const std::string& name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Whether a line tells all parts of the run's total.
bool tells_total(const PowerRow& row, const StoredRun& run) {
  if (row.ours) return tells_all(row);
  return std::all_of(
      run.total.summed.begin(), run.total.summed.end(),
      [&](const std::string& name) { return tells(row, name, level_of_domain(run, name)); });
}

std::optional<Level> level_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(Level::Other); ++i)
    if (name_of(static_cast<Level>(i)) == name) return static_cast<Level>(i);
  return std::nullopt;
}

/// What the total is of, in the words of a run that is measured.
std::string rule_of(const StoredRun& run) {
  std::vector<MeterInfo> summed;
  for (const StoredDomain& domain : run.domains) {
    const auto level = level_named(domain.level);
    const auto& names = run.total.summed;
    if (!level || std::find(names.begin(), names.end(), domain.name) == names.end()) continue;
    MeterInfo meter;
    meter.device = domain.name;  // none of them is a part of another
    meter.level = *level;
    if (domain.provenance == name_of(Provenance::Estimated))
      meter.provenance = Provenance::Estimated;
    summed.push_back(std::move(meter));
  }
  const bool memory = std::any_of(summed.begin(), summed.end(), [](const MeterInfo& meter) {
    return meter.level == Level::Dram;
  });
  if (summed.empty()) return "";
  return meters::choose_total(summed, memory ? std::optional(Level::Package) : std::nullopt).rule;
}

void add_summed(const Rows& rows, StoredTotal& total) {
  for (const PowerRow* row : rows) {
    for (const std::string& name : row->summed) add_once(name, total.summed);
    // The weakest word of all lines.
    const bool weaker =
        total.provenance.empty() || total.provenance == name_of(Provenance::Measured);
    if (weaker && !row->provenance.empty()) total.provenance = row->provenance;
  }
}

/// Mean power is that of the time for which all parts are known.
void add_total(const Rows& rows, StoredRun& run) {
  StoredTotal& total = run.total;
  add_summed(rows, total);
  total.peak_over_s = run.interval_s;
  double covered_s = 0;
  double covered_j = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PowerRow& row = *rows[i];
    const PowerRow* before = row_before(rows, i);
    if (row.total_w) total.peak_power_w = std::max(total.peak_power_w.value_or(0), *row.total_w);
    const auto energy_j = total_energy_of(row, before);
    if (!energy_j) continue;
    total.energy_j.value = total.energy_j.value.value_or(0) + *energy_j;
    // A first line may tell its energy, and not for how long.
    const bool from_before = before != nullptr && tells_total(*before, run);
    if (!tells_total(row, run) || !(row.duration_s || from_before)) continue;
    covered_s += time_of(row, before).value_or(0);
    covered_j += *energy_j;
  }
  total.covered_s = covered_s;
  if (covered_s > 0) total.power_w = covered_j / covered_s;
}

template <class Get>
std::optional<double> highest(const Rows& rows, Get get) {
  std::optional<double> most;
  for (const PowerRow* row : rows) {
    if (const std::optional<double> value = get(*row))
      most = std::max(most.value_or(*value), *value);
  }
  return most;
}

template <class Get>
std::optional<double> mean(const Rows& rows, Get get) {
  double sum = 0;
  int count = 0;
  for (const PowerRow* row : rows) {
    const std::optional<double> value = get(*row);
    if (!value) continue;
    sum += *value;
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

/// A summary of each card that the lines tell of.
void add_cards(const Rows& rows, StoredRun& run) {
  std::set<std::string> cards;
  for (const PowerRow* row : rows) {
    for (const auto* values : {&row->gpu_memory_bytes, &row->gpu_sm_share, &row->card_memory_bytes,
                               &row->card_utilisation})
      for (const auto& [card, value] : *values) cards.insert(card);
  }
  for (const std::string& card : cards) {
    const auto of = [&](const std::map<std::string, double> PowerRow::*values) {
      return [=, &card](const PowerRow& row) -> std::optional<double> {
        const auto found = (row.*values).find(card);
        return found == (row.*values).end() ? std::nullopt : std::optional(found->second);
      };
    };
    StoredGpu gpu;
    gpu.device = "gpu-" + card;
    gpu.utilisation = mean(rows, of(&PowerRow::card_utilisation));
    gpu.peak_utilisation = highest(rows, of(&PowerRow::card_utilisation));
    gpu.sm_share = mean(rows, of(&PowerRow::gpu_sm_share));
    gpu.peak_memory_bytes = highest(rows, of(&PowerRow::gpu_memory_bytes));
    if (!gpu.peak_memory_bytes)
      gpu.peak_memory_bytes = highest(rows, of(&PowerRow::card_memory_bytes));
    run.gpus.push_back(std::move(gpu));
  }
}

StoredRun run_of(const Rows& rows) {
  StoredRun run;
  run.number = rows.front()->run;
  run.complete = false;
  run.begin = date_text(rows.front()->at);
  run.end = date_text(rows.back()->at);
  add_times(rows, run);
  for (const RowDomain& domain : domains_in(rows)) run.domains.push_back(domain_of(rows, domain));
  add_total(rows, run);
  run.total.rule = rule_of(run);
  add_missing_parts(rows, run);
  add_cards(rows, run);
  run.busy_cpus = mean(rows, [](const PowerRow& row) { return row.busy_cpus; });
  run.cpu_share = mean(rows, [](const PowerRow& row) { return row.cpu_share; });
  run.peak_pss_bytes = highest(rows, [](const PowerRow& row) { return row.pss_bytes; });
  return run;
}

}  // namespace

StoredRuns runs_of_rows(const std::vector<PowerRow>& rows) {
  std::map<int, Rows> by_run;
  for (const PowerRow& row : rows) by_run[row.run].push_back(&row);
  StoredRuns runs;
  for (const auto& [number, run] : by_run) runs.runs.push_back(run_of(run));
  return runs;
}

}  // namespace jouletree::store
