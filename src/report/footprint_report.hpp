#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/footprint.hpp"
#include "jouletree/predict.hpp"
#include "jouletree/session.hpp"

namespace jouletree::report {

/// The energy that grams and money are derived from, and how it was obtained.
struct FootprintEnergy {
  std::optional<EnergyRange> energy;  ///< Nothing where it is unknown.
  Provenance provenance = Provenance::Measured;
};

/// What was predicted, with its interval.
[[nodiscard]] FootprintEnergy footprint_energy(const NodePrediction& node);

/// One line of a summary, for people: {"CO2e", "12.3 g (derived: 44 g/kWh, FR, 2024, Ember …)"}.
struct FootprintLine {
  std::string title;
  std::string text;
};

/// A line for CO2e and a line for the cost, as far as there are factors.
[[nodiscard]] std::vector<FootprintLine> footprint_lines(const FootprintEnergy& energy,
                                                         const FootprintFactors& factors);

/// What a table shows of one energy: {"CO2e", "12.3 mg", "11 mg to 14 mg"}.
struct FootprintCell {
  std::string title;
  std::string value;     ///< "unknown" where the energy is.
  std::string interval;  ///< "–" where there is none.
};
[[nodiscard]] std::vector<FootprintCell> footprint_cells(const FootprintEnergy& energy,
                                                         const FootprintFactors& factors);
/// What grams and money of such energies are derived from, a line each.
[[nodiscard]] std::vector<FootprintLine> footprint_basis(Provenance energy,
                                                         const FootprintFactors& factors);

/// {"co2e_g": {"value": 12.3, "unit": "g", "provenance": "derived", …}, "cost": {…}} with bounds
/// and factors; an empty object without factors. To be merged into the "metrics" of a summary.
[[nodiscard]] nlohmann::ordered_json footprint_json(const FootprintEnergy& energy,
                                                    const FootprintFactors& factors);

}  // namespace jouletree::report
