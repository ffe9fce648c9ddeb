#include "measure/known_parts.hpp"

#include <algorithm>

namespace jouletree::measure {
namespace {

bool has_energy(const Measured& measured, const WantedPart& wanted) {
  if (!measured.joules() || (wanted.above_idle && !measured.energy->above_idle)) return false;
  const TotalEnergy& energy = *measured.energy;
  // What files keep of a time is rounded.
  constexpr double kRounded = 0.999;
  return energy.missing.empty() &&
         measured.trials.end - measured.trials.begin >= kRounded * wanted.least &&
         std::is_permutation(energy.summed.begin(), energy.summed.end(), wanted.summed.begin(),
                             wanted.summed.end());
}

}  // namespace

bool is_good_enough(const Measured& measured, const WantedPart& wanted) {
  if (!measured.good() || measured.hurried || measured.trials.seconds.empty()) return false;
  TrialPlan plan;
  plan.precision = wanted.precision;
  if (!is_precise(plan, measured.trials.time)) return false;
  return wanted.summed.empty() || has_energy(measured, wanted);
}

}  // namespace jouletree::measure
