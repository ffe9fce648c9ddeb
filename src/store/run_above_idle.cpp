#include "store/run_above_idle.hpp"

#include "store/above_idle.hpp"

namespace jouletree::store {

Figure known_above_idle(const Figure& above_idle_j, const Figure& gross_j) {
  const std::string doubt = above_idle_doubt(above_idle_j.value, above_idle_j.low, gross_j.value);
  return doubt.empty() ? above_idle_j : Figure{};
}

std::string why_not_above_idle(const StoredRun& run) {
  const StoredTotal& total = run.total;
  if (total.above_idle_j.value) {
    return above_idle_doubt(total.above_idle_j.value, total.above_idle_j.low, total.energy_j.value);
  }
  // What was not stored because of its doubt.
  const bool asked = run.baseline_s && total.energy_j.value && total.missing.empty();
  return asked ? above_idle_doubt(0, 0, total.energy_j.value) : "";
}

}  // namespace jouletree::store
