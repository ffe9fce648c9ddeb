#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/predict.hpp"

namespace jouletree::report {

/// One row per level that has values; the first column names what they are of ("energy").
void print_error_statistics(const std::vector<std::pair<std::string, LevelStatistics>>& of,
                            std::ostream& out);
/// By level: values, mean, rmspe, median, r_squared, within_5, within_10. Empty without values.
[[nodiscard]] nlohmann::ordered_json error_statistics_json(const LevelStatistics& statistics);
[[nodiscard]] bool has_values(const LevelStatistics& statistics);

}  // namespace jouletree::report
