#pragma once

#include <nlohmann/json.hpp>

#include "tree/metric_set.hpp"

namespace jouletree::python {

/// Adds to each metric its title, and its value as the terminal shows it: "title", "text".
void add_words(nlohmann::ordered_json& metrics, const tree::MetricSet& set);
void add_words(nlohmann::ordered_json& metrics, const std::vector<tree::MetricResult>& results);

}  // namespace jouletree::python
