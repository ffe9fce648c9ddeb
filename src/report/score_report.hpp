#pragma once

#include <iosfwd>
#include <string>

#include "jouletree/score.hpp"
#include "tree/metric_set.hpp"

namespace jouletree::report {

/// What 'jouletree score' prints: each metric, then what the evaluation cost.
void print_score_table(const Score& score, std::ostream& out);
void print_score_json(const Score& score, std::ostream& out);

/// What else there is to say about a metric of a score; empty for others.
[[nodiscard]] std::string score_detail(const tree::MetricResult& result, const Score& score);
/// "91.2 % (Accuracy, top-1)": the primary metric.
[[nodiscard]] std::string primary_text(const Score& score);

}  // namespace jouletree::report
