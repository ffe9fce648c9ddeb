#include "base/shift_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rank_counts.hpp"
#include "base/statistics.hpp"

namespace jouletree {
namespace {

constexpr double kTailOfInterval = 0.025;
/// What the normal distribution leaves beyond it is kTailOfInterval.
constexpr double kDeviations = 1.959964;
/// All pairs of two such series are a million.
constexpr std::size_t kMostValues = 1000;

std::vector<double> sorted_and_thinned(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() <= kMostValues) return sorted;
  std::vector<double> thinned(kMostValues);
  for (std::size_t i = 0; i < kMostValues; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(kMostValues);
    thinned[i] = quantile(sorted, share);
  }
  return thinned;
}

/// How many steps from either end the interval begins; 0: it has no bounds.
std::size_t critical(double mean, double variance) {
  const double steps = mean - kDeviations * std::sqrt(variance);
  return steps < 1 ? 0 : static_cast<std::size_t>(steps);
}

Figure median_with_interval(std::vector<double> all, std::size_t steps) {
  std::sort(all.begin(), all.end());
  Figure shift;
  shift.value = quantile(all, 0.5);
  if (steps == 0) return shift;
  shift.low = all[steps - 1];
  shift.high = all[all.size() - steps];
  return shift;
}

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

Figure exponentials(const Figure& shift) {
  Figure ratio;
  if (shift.value) ratio.value = std::exp(*shift.value);
  if (shift.low) ratio.low = std::exp(*shift.low);
  if (shift.high) ratio.high = std::exp(*shift.high);
  return ratio;
}

}  // namespace

Figure shift_between(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) return {};
  const std::vector<double> one = sorted_and_thinned(first);
  const std::vector<double> other = sorted_and_thinned(second);
  std::vector<double> all;
  all.reserve(one.size() * other.size());
  for (const double a : one)
    for (const double b : other) all.push_back(b - a);
  const auto n = static_cast<double>(one.size());
  const auto m = static_cast<double>(other.size());
  const std::size_t steps =
      one.size() + other.size() <= kMostExactValues
          ? rarer_than(orders_by_pairs(one.size(), other.size()), kTailOfInterval)
          : critical(n * m / 2, n * m * (n + m + 1) / 12);
  return median_with_interval(std::move(all), steps);
}

Figure shift_of_pairs(std::span<const double> differences) {
  if (differences.empty()) return {};
  const std::vector<double> values = sorted_and_thinned(differences);
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  const auto n = static_cast<double>(values.size());
  const std::size_t steps = values.size() <= kMostExactValues
                                ? rarer_than(signs_by_sum(values.size()), kTailOfInterval)
                                : critical(n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24);
  return median_with_interval(std::move(means), steps);
}

Figure ratio_between(std::span<const double> first, std::span<const double> second) {
  return exponentials(shift_between(logarithms(first), logarithms(second)));
}

Figure ratio_of_pairs(std::span<const double> ratios) {
  return exponentials(shift_of_pairs(logarithms(ratios)));
}

}  // namespace jouletree
