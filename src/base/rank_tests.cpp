#include "base/rank_tests.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rank_counts.hpp"
#include "base/ranks.hpp"

namespace jouletree {
namespace {

RankTest counted(double statistic, const std::vector<double>& counts) {
  const auto outcome = static_cast<std::size_t>(std::llround(statistic));
  RankTest test;
  test.statistic = statistic;
  test.p_greater = share_from(counts, outcome);
  test.p = std::min(1.0, 2 * std::min(test.p_greater, share_up_to(counts, outcome)));
  test.exact = true;
  return test;
}

/// The statistic moves in whole steps, so half a step belongs to each of its values.
RankTest approximated(double statistic, double mean, double variance) {
  RankTest test;
  test.statistic = statistic;
  if (variance <= 0) return test;
  const double deviation = std::sqrt(variance);
  constexpr double kHalfStep = 0.5;
  test.p_greater = normal_tail((statistic - mean - kHalfStep) / deviation);
  const double away = std::max(0.0, std::abs(statistic - mean) - kHalfStep);
  test.p = std::min(1.0, 2 * normal_tail(away / deviation));
  return test;
}

}  // namespace

RankTest mann_whitney(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) return {};
  std::vector<double> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  const Ranks ranks = ranks_of(all);
  double sum = 0;
  for (std::size_t i = first.size(); i < all.size(); ++i) sum += ranks.of[i];
  const auto n = static_cast<double>(first.size());
  const auto m = static_cast<double>(second.size());
  const double pairs = sum - m * (m + 1) / 2;
  if (ranks.ties == 0 && all.size() <= kMostExactValues)
    return counted(pairs, orders_by_pairs(first.size(), second.size()));
  const double both = n + m;
  return approximated(pairs, n * m / 2, n * m / 12 * (both + 1 - ranks.ties / (both * (both - 1))));
}

RankTest wilcoxon_signed_rank(std::span<const double> differences) {
  std::vector<double> sizes;
  std::vector<bool> is_positive;
  for (const double difference : differences) {
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    is_positive.push_back(difference > 0);
  }
  if (sizes.empty()) return {};
  const Ranks ranks = ranks_of(sizes);
  double sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (is_positive[i]) sum += ranks.of[i];
  if (ranks.ties == 0 && sizes.size() <= kMostExactValues)
    return counted(sum, signs_by_sum(sizes.size()));
  const auto n = static_cast<double>(sizes.size());
  return approximated(sum, n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24 - ranks.ties / 48);
}

}  // namespace jouletree
