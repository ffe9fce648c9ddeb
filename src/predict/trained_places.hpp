#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/measured_on.hpp"
#include "jouletree/tree_run.hpp"

namespace jouletree::predict {

/// Where the runs were measured that say so, each place once, in order of appearance.
[[nodiscard]] std::vector<TrainedOn> places_of(const std::vector<TreeRun>& runs);

/// As predictor files have them.
[[nodiscard]] nlohmann::ordered_json places_json(const std::vector<TrainedOn>& places);
/// Throws Error(BadInput) for what places_json() does not write.
[[nodiscard]] std::vector<TrainedOn> read_places(const nlohmann::ordered_json& json);

}  // namespace jouletree::predict
