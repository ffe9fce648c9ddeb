#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tree/metric_set.hpp"

namespace jouletree::tree {

/// How a score is called among the metrics of a profile: "score_top1".
[[nodiscard]] std::string score_key(std::string_view metric);
/// Whether a key of a profile's metrics is one of a score, or of what follows from one.
[[nodiscard]] bool is_score_key(std::string_view key);
/// "epr", and "epr_2", "epr_0_5" for another exponent than 1.
[[nodiscard]] std::string epr_key(double alpha);

/// Adds the scores that no row of the catalogue is for: any other k of top-k, functions of the
/// user's own, and an energy-precision ratio with another exponent. Behind the other scores.
void add_other_scores(const Score& score, std::vector<MetricResult>& results);

/// All metrics of a score alone, the asked ones first.
[[nodiscard]] std::vector<MetricResult> score_results(const Score& score);

}  // namespace jouletree::tree
