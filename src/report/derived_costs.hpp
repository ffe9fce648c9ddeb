#pragma once

#include "base/footprint.hpp"
#include "report/run_report.hpp"
#include "store/stored_run_json.hpp"

namespace jouletree::report {

/// Grams of CO2e and money beside the energy of summaries: as lines, and as metrics. Empty
/// functions where there are no factors.
struct DerivedCosts {
  DeriveLines lines;
  store::DeriveMetrics metrics;
};
[[nodiscard]] DerivedCosts derived_costs(const FootprintFactors& factors);

}  // namespace jouletree::report
