#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "store/stored_run.hpp"

namespace jouletree::store {

/// What others derive from energy and want beside it in the "metrics" of a summary, such as grams
/// and money. Called for each run and for the sum; gives an object, perhaps an empty one.
using DeriveMetrics =
    std::function<nlohmann::ordered_json(const Figure& energy_j, const std::string& provenance)>;

/// The content of summary.json: {"metrics": {sum of all runs}, "runs": [{"metrics": …}, …]}.
[[nodiscard]] nlohmann::ordered_json summary_json(const StoredRuns& runs,
                                                  const DeriveMetrics& derive);
/// Reads it again. What is missing is unknown. Throws Error(BadInput), naming `where`, if it is
/// something else.
[[nodiscard]] StoredRuns parse_summary(const std::string& text, const std::string& where);

}  // namespace jouletree::store
