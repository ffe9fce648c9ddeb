#include "jouletree/provenance.hpp"
#include "jouletree/run.hpp"

namespace jouletree {
namespace {

void add(std::optional<double>& sum, const std::optional<double>& part) {
  sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
}

}  // namespace

RunsTotal total_of(const StoredRuns& runs) {
  RunsTotal total;
  total.time_s = 0;
  total.energy_j = {0, 0, 0};
  total.provenance = name_of(Provenance::Measured);
  total.runs = static_cast<int>(runs.runs.size());
  double known_s = 0;
  double known_j = 0;
  for (const StoredRun& run : runs.runs) {
    add(total.time_s, run.time_s);
    // Older summaries do not say how long all parts were known.
    if (const auto covered_s = run.total.covered_s ? run.total.covered_s : run.time_s;
        covered_s && run.total.power_w) {
      known_s += *covered_s;
      known_j += *covered_s * *run.total.power_w;
    }
    if (!run.total.energy_j.value) {
      ++total.without_energy;
      total.energy_j.high.reset();
      continue;
    }
    if (!run.total.missing.empty()) {
      ++total.incomplete;
      total.energy_j.high.reset();
    }
    add(total.energy_j.value, run.total.energy_j.value);
    add(total.energy_j.low, run.total.energy_j.low);
    add(total.energy_j.high, run.total.energy_j.high);
    if (run.total.provenance != name_of(Provenance::Measured))
      total.provenance = run.total.provenance;
  }
  if (total.without_energy == total.runs) total.energy_j = {};
  if (known_s > 0) total.power_w = known_j / known_s;
  return total;
}

}  // namespace jouletree
