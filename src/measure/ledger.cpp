#include "measure/ledger.hpp"

#include <algorithm>

#include "measure/speed_of_whole.hpp"

namespace jouletree {
namespace {

/// `factor` brings the operator to the speed of the whole.
void add(const UniqueOperator& unique, double factor, Ledger& ledger) {
  const double times = static_cast<double>(unique.nodes.size()) * factor;
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
    if (unique.is_in_place_only()) {
      ledger.in_place += unique.nodes.size();
      ledger.in_place_s += *unique.in_place_s * static_cast<double>(unique.nodes.size());
    }
    if (!unique.measured) {
      (unique.out_of_time ? ledger.out_of_time : ledger.left_out) += unique.nodes.size();
    } else if (!unique.measured->good()) {
      ledger.failed += unique.nodes.size();
    } else {
      const Trials& trials = unique.measured->trials;
      add(unique, 1 / speed.relative_time_around(trials.begin, trials.end), ledger);
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
