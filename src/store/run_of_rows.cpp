// Summaries of runs that left nothing but their lines.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "store/calendar.hpp"
#include "store/power_keys.hpp"
#include "store/recorded_power.hpp"

namespace jouletree::store {
namespace {

double seconds_between_rows(const PowerRow& first, const PowerRow& second) {
  return Seconds(second.at - first.at).count();
}

/// Energy of one number over the rows of a run: what the rows counted, else power over the time
/// since the row before, taken as a straight line from one to the next.
class EnergySum {
 public:
  void add(const PowerRow& row, const PowerRow* before, std::optional<double> energy_j,
           std::optional<double> power_w) {
    if (energy_j) {
      count(*energy_j);
    } else if (power_w && row.duration_s) {
      count(*power_w * *row.duration_s);
    } else if (power_w && last_w_ && before != nullptr) {
      count((*power_w + *last_w_) / 2 * seconds_between_rows(*before, row));
    }
    last_w_ = power_w;
    if (power_w) peak_w_ = std::max(peak_w_.value_or(*power_w), *power_w);
  }
  [[nodiscard]] std::optional<double> energy_j() const { return sum_; }
  [[nodiscard]] std::optional<double> peak_w() const { return peak_w_; }

 private:
  void count(double energy_j) { sum_ = sum_.value_or(0) + energy_j; }

  std::optional<double> sum_;
  std::optional<double> last_w_;
  std::optional<double> peak_w_;
};

using Rows = std::vector<const PowerRow*>;

double duration_of(const Rows& rows) {
  double sum_s = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]->duration_s) {
      sum_s += *rows[i]->duration_s;
    } else if (i > 0) {
      sum_s += seconds_between_rows(*rows[i - 1], *rows[i]);
    }
  }
  return sum_s;
}

const RowDomain* find_domain(const PowerRow& row, const std::string& name) {
  const auto found = std::find_if(row.domains.begin(), row.domains.end(),
                                  [&](const RowDomain& domain) { return domain.name == name; });
  return found == row.domains.end() ? nullptr : &*found;
}

StoredDomain domain_of(const Rows& rows, const RowDomain& like, double time_s) {
  StoredDomain domain;
  domain.name = like.name;
  domain.level = like.level;
  domain.provenance = like.provenance;
  EnergySum sum;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowDomain* here = find_domain(*rows[i], like.name);
    sum.add(*rows[i], i > 0 ? rows[i - 1] : nullptr, here ? here->energy_j : std::nullopt,
            here ? here->power_w : std::nullopt);
  }
  domain.energy_j.value = sum.energy_j();
  domain.peak_power_w = sum.peak_w();
  if (domain.energy_j.value && time_s > 0) domain.power_w = *domain.energy_j.value / time_s;
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

void add_total(const Rows& rows, StoredRun& run) {
  EnergySum sum;
  for (std::size_t i = 0; i < rows.size(); ++i)
    sum.add(*rows[i], i > 0 ? rows[i - 1] : nullptr, rows[i]->total_j, rows[i]->total_w);
  for (const PowerRow* row : rows) {
    for (const std::string& name : row->summed) add_once(name, run.total.summed);
    // The weakest word of all lines.
    const bool weaker =
        run.total.provenance.empty() || run.total.provenance == name_of(Provenance::Measured);
    if (weaker && !row->provenance.empty()) run.total.provenance = row->provenance;
  }
  run.total.energy_j.value = sum.energy_j();
  run.total.peak_power_w = sum.peak_w();
  run.total.peak_over_s = run.interval_s;
  if (sum.energy_j() && run.time_s > 0) run.total.power_w = *sum.energy_j() / *run.time_s;
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

bool is_gpu(const RowDomain& domain) { return domain.level == name_of(Level::Gpu); }

bool is_sum_of_cards(const std::string& name) {
  const auto is = [&](const char* key) { return name == key; };
  return std::any_of(std::begin(kPowerOfCards), std::end(kPowerOfCards), is) ||
         std::any_of(std::begin(kPowerPerCard), std::end(kPowerPerCard), is);
}

/// Whether a line tells the power of a domain, by itself or within that of all cards.
bool tells(const PowerRow& row, const std::string& name) {
  if (name == kOtherCards) return true;
  return std::any_of(row.domains.begin(), row.domains.end(), [&](const RowDomain& domain) {
    if (domain.name == name) return domain.power_w || domain.energy_j;
    return is_gpu(domain) && (is_sum_of_cards(domain.name) || is_sum_of_cards(name));
  });
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
    const auto silent = std::count_if(rows.begin(), rows.end(), [&](const PowerRow* row) {
      return !row->ours && !tells(*row, name);
    });
    if (silent == 0) continue;
    missing.push_back(name);
    run.notes.push_back(
        fmt::format("{} of {} lines lack the power of {}; nothing is counted for it "
                    "there",
                    silent, rows.size(), name));
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
  run.time_s = duration_of(rows);
  if (rows.size() > 1) run.interval_s = *run.time_s / static_cast<double>(rows.size());
  add_total(rows, run);
  for (const RowDomain& domain : domains_in(rows))
    run.domains.push_back(domain_of(rows, domain, *run.time_s));
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
