#pragma once

#include <vector>

#include "measure/paired_runs.hpp"
#include "report/compared_profile.hpp"
#include "report/gate.hpp"

namespace jouletree::report {

/// A profile against its baseline, by the tests of measured_differences(). Throws Error(BadInput)
/// where they cannot be compared: inputs of other sizes; another machine, engine or settings,
/// unless `other_machine` says that this is known and all limits are of what is counted.
[[nodiscard]] GateResult gate_of_profiles(const ComparedProfile& baseline,
                                          const ComparedProfile& now,
                                          const std::vector<GateLimit>& limits, bool other_machine);

/// Two models that ran in pairs. Names are what people call them. Throws Error(BadInput) for models
/// with inputs of other sizes.
[[nodiscard]] GateResult gate_of_pairs(const measure::PairedRuns& runs, const std::string& baseline,
                                       const std::string& now,
                                       const std::vector<GateLimit>& limits);

/// Whether a metric is measured, and needs a test.
[[nodiscard]] bool is_measured_metric(const std::string& metric);

}  // namespace jouletree::report
