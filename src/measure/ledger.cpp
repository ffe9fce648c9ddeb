#include "measure/ledger.hpp"

#include "base/figure_sum.hpp"
#include "base/shares.hpp"
#include "measure/measured_figures.hpp"
#include "measure/runs_of.hpp"
#include "measure/speed_of_whole.hpp"

namespace jouletree::measure {
namespace {

struct TimeAndEnergy {
  FigureSum seconds;
  FigureSum joules;

  void add(const Measured& measured, double times) {
    seconds.add(time_of(measured), times);
    joules.add(energy_of(measured), times);
  }
};

/// An operator that is not in the sums.
void count_missing(const UniqueOperator& unique, std::size_t runs, Ledger& ledger) {
  if (unique.measured) {
    ledger.failed += runs;
  } else {
    (unique.out_of_time ? ledger.out_of_time : ledger.left_out) += runs;
  }
  if (!unique.is_in_place_only()) return;
  ledger.in_place += runs;
  ledger.in_place_s += *unique.in_place_s * static_cast<double>(runs);
}

}  // namespace

Ledger ledger_of(const Profile& profile) {
  Ledger ledger;
  const SpeedOfWhole speed(profile.whole.trials);
  TimeAndEnergy raw;
  TimeAndEnergy adjusted;
  for (const UniqueOperator& unique : profile.operators) {
    const double runs = runs_of(profile.tree, unique);
    if (!unique.is_measured_alone()) {
      count_missing(unique, static_cast<std::size_t>(runs), ledger);
      continue;
    }
    const Trials& trials = unique.measured->trials;
    raw.add(*unique.measured, runs);
    adjusted.add(*unique.measured, runs / speed.relative_time_around(trials.begin, trials.end));
  }
  ledger.raw_s = raw.seconds.total();
  ledger.raw_j = raw.joules.total();
  ledger.adjusted_s = adjusted.seconds.total();
  ledger.adjusted_j = adjusted.joules.total();
  ledger.attribution_time = share(ledger.adjusted_s.value, profile.whole.seconds());
  ledger.attribution_energy = share(ledger.adjusted_j.value, profile.whole.joules());
  return ledger;
}

}  // namespace jouletree::measure
