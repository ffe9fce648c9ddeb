#pragma once

#include <nlohmann/json.hpp>

#include "jouletree/metrics.hpp"

namespace jouletree {

/// Every metric of the catalogue with value, unit and provenance.
[[nodiscard]] nlohmann::ordered_json metrics_json(const ModelTree& tree);
/// The known sum, null where nothing is known.
[[nodiscard]] nlohmann::ordered_json sum_json(const Sum& sum);

}  // namespace jouletree
