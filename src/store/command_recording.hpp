#pragma once

#include <string>
#include <vector>

#include "jouletree/run.hpp"
#include "store/stored_run_json.hpp"

namespace jouletree::store {

/// As jouletree::run_command(), with what others derive from energy beside it in the summary.
[[nodiscard]] MeasuredCommand record_command(const std::vector<std::string>& words,
                                             const RunSettings& settings,
                                             const DeriveMetrics& derive);

/// What stands in summary.json.
[[nodiscard]] std::string summary_text(const StoredRuns& runs, const DeriveMetrics& derive);

}  // namespace jouletree::store
