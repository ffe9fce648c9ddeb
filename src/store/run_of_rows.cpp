// Summaries of runs that left nothing but their lines.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "store/calendar.hpp"
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
  int stretches = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto time_s = time_of(*rows[i], row_before(rows, i));
    run.time_s = *run.time_s + time_s.value_or(0);
    if (time_s) ++stretches;
  }
  if (stretches > 0) run.interval_s = *run.time_s / stretches;
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

std::string level_of(const StoredRun& run, const std::string& name) {
  const auto found = std::find_if(run.domains.begin(), run.domains.end(),
                                  [&](const StoredDomain& domain) { return domain.name == name; });
  return found == run.domains.end() ? "" : found->level;
}

/// Whether a line tells all parts of the run's total.
bool tells_total(const PowerRow& row, const StoredRun& run) {
  if (row.ours) return tells_all(row);
  return std::all_of(
      run.total.summed.begin(), run.total.summed.end(),
      [&](const std::string& name) { return tells(row, name, level_of(run, name)); });
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
    if (!tells_total(row, run) || !(row.duration_s || tells_total(*before, run))) continue;
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

/// What the total does not contain although it was recorded, or was there to be recorded.
void add_missing(const Rows& rows, StoredRun& run) {
  std::vector<std::string>& missing = run.total.missing;
  for (const PowerRow* row : rows)
    for (const std::string& name : row->not_understood) add_once(name, missing);
  if (!missing.empty()) {
    run.notes.push_back(
        fmt::format("{} in the lines {} like power or energy, but JouleTree does not know {}; "
                    "the total may lack it",
                    fmt::join(missing, ", "), agreeing(missing.size(), "looks", "look"),
                    agreeing(missing.size(), "this name", "these names")));
  }
  for (const std::string& name : run.total.summed) {
    const std::string level = level_of(run, name);
    const auto silent = std::count_if(rows.begin(), rows.end(), [&](const PowerRow* row) {
      return !tells(*row, name, level) ||
             std::find(row->missing.begin(), row->missing.end(), name) != row->missing.end();
    });
    if (silent == 0) continue;
    missing.push_back(name);
    run.notes.push_back(fmt::format(
        "{} of {} lines {} the power of {}; nothing is counted for it {}", silent, rows.size(),
        agreeing(silent, "lacks", "lack"), name,
        rows.front()->duration_s ? "there" : "between two lines of which one lacks it"));
  }
  const bool cards = std::any_of(rows.begin(), rows.end(),
                                 [](const PowerRow* row) { return !row->ours && row->has_cards; });
  const bool gpu = std::any_of(run.domains.begin(), run.domains.end(), [](const StoredDomain& d) {
    return d.level == name_of(Level::Gpu);
  });
  if (!cards || gpu) return;
  missing.emplace_back("graphics cards");
  run.notes.emplace_back(
      "the lines mention graphics cards but not their power, so the total lacks it");
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
  add_missing(rows, run);
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
