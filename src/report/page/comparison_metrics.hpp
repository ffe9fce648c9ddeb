#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "tree/metric_set.hpp"

namespace jouletree::report {

/// Whether it is what 'jouletree compare --format json' prints.
[[nodiscard]] bool is_comparison(const nlohmann::ordered_json& json);

/// Metrics of the catalogue as they stand in JSON, in the order of the catalogue; those that do not
/// stand there are left out.
[[nodiscard]] std::vector<tree::MetricResult> metrics_in(
    const nlohmann::ordered_json& json, const std::vector<tree::MetricEntry>& catalogue);

}  // namespace jouletree::report
