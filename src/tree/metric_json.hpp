#pragma once

#include <nlohmann/json.hpp>

#include "tree/metric_set.hpp"

namespace jouletree::tree {

/// Every metric with value, unit and provenance; those of plug-ins also with the plug-in's name
/// and, where they failed, the reason.
[[nodiscard]] nlohmann::ordered_json metrics_json(const std::vector<tree::MetricResult>& results);
/// The known sum, null where nothing is known.
[[nodiscard]] nlohmann::ordered_json sum_json(const Sum& sum);

}  // namespace jouletree::tree
