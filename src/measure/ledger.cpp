#include "measure/ledger.hpp"

#include <algorithm>

#include "measure/runs_of.hpp"
#include "measure/speed_of_whole.hpp"

namespace jouletree {
namespace {

/// `times` are its runs, brought to the speed of the whole.
void add(const UniqueOperator& unique, double times, Ledger& ledger) {
  ledger.operators_s += unique.measured->seconds() * times;
  const auto joules = unique.measured->joules();
  if (joules && ledger.operators_j) {
    *ledger.operators_j += *joules * times;
  } else {
    ledger.operators_j.reset();
  }
}

}  // namespace

Ledger ledger_of(const Profile& profile) {
  Ledger ledger;
  const SpeedOfWhole speed(profile.whole.trials);
  ledger.operators_j = 0;
  for (const UniqueOperator& unique : profile.operators) {
    const double runs = runs_of(profile.tree, unique);
    if (unique.is_in_place_only()) {
      ledger.in_place += static_cast<std::size_t>(runs);
      ledger.in_place_s += *unique.in_place_s * runs;
    }
    if (!unique.measured) {
      (unique.out_of_time ? ledger.out_of_time : ledger.left_out) += static_cast<std::size_t>(runs);
    } else if (!unique.measured->good()) {
      ledger.failed += static_cast<std::size_t>(runs);
    } else {
      const Trials& trials = unique.measured->trials;
      add(unique, runs / speed.relative_time_around(trials.begin, trials.end), ledger);
    }
  }
  const bool some =
      std::any_of(profile.operators.begin(), profile.operators.end(),
                  [](const UniqueOperator& unique) { return unique.is_measured_alone(); });
  if (!some) {
    ledger.operators_j.reset();
    return ledger;
  }
  ledger.attribution_time = ledger.operators_s / profile.whole.seconds();
  const auto whole = profile.whole.joules();
  if (whole && *whole > 0 && ledger.operators_j)
    ledger.attribution_energy = *ledger.operators_j / *whole;
  return ledger;
}

}  // namespace jouletree
