#include "report/derived_costs.hpp"

#include "report/footprint_report.hpp"

namespace jouletree::report {
namespace {

/// Recordings keep the word, not the enumerator; one that nobody knows is taken for the weaker.
Provenance provenance_of(const std::string& word) {
  for (const Provenance known : {Provenance::Counted, Provenance::Measured, Provenance::Predicted})
    if (word == name_of(known)) return known;
  return Provenance::Estimated;
}

FootprintEnergy energy_of(const Figure& energy_j, const std::string& provenance) {
  FootprintEnergy energy;
  energy.provenance = provenance_of(provenance);
  if (!energy_j.value) return energy;
  EnergyRange& range = energy.energy.emplace();
  range.value = Joules::from(*energy_j.value);
  if (energy_j.low) range.low = Joules::from(*energy_j.low);
  if (energy_j.high) range.high = Joules::from(*energy_j.high);
  return energy;
}

}  // namespace

DerivedCosts derived_costs(const FootprintFactors& factors) {
  DerivedCosts costs;
  costs.lines = [factors](const Figure& energy_j, const std::string& provenance) {
    std::vector<SummaryLine> lines;
    for (FootprintLine& line : footprint_lines(energy_of(energy_j, provenance), factors))
      lines.push_back({std::move(line.title), std::move(line.text)});
    return lines;
  };
  costs.metrics = [factors](const Figure& energy_j, const std::string& provenance) {
    return footprint_json(energy_of(energy_j, provenance), factors);
  };
  return costs;
}

}  // namespace jouletree::report
