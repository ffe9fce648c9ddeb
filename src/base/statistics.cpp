#include "base/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace jouletree {
namespace {

/// Student's t for a two-sided 95 % interval, by degrees of freedom from 1.
constexpr std::array kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

/// The same of the normal distribution.
constexpr double kNormal = 1.959964;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// How many of the values, counted from either end, the interval of the median leaves out: as many
/// as fewer than 2.5 % of all series have on the wrong side of it.
std::size_t left_out_by_median(std::size_t n) {
  constexpr double kTail = 0.025;
  double probability = std::pow(0.5, static_cast<double>(n));
  double tail = probability;
  std::size_t left_out = 0;
  while (tail < kTail && probability > 0) {
    probability *= static_cast<double>(n - left_out) / static_cast<double>(left_out + 1);
    tail += probability;
    ++left_out;
  }
  return left_out;
}

/// Beyond this the probabilities above are too small for a double.
constexpr std::size_t kManyValues = 1000;

void add_median_interval(std::span<const double> sorted, Summary& summary) {
  const std::size_t n = sorted.size();
  std::size_t left_out = 0;
  if (n <= kManyValues) {
    left_out = left_out_by_median(n);
  } else {
    const auto count = static_cast<double>(n);
    left_out = static_cast<std::size_t>(count / 2 - kNormal / 2 * std::sqrt(count));
  }
  if (left_out > 0) {
    summary.median_low = sorted[left_out - 1];
    summary.median_high = sorted[n - left_out];
    return;
  }
  summary.median_low = std::min(summary.min, summary.mean - summary.half_width);
  summary.median_high = std::max(summary.max, summary.mean + summary.half_width);
}

}  // namespace

double student_95(std::size_t freedom) {
  if (freedom == 0) throw std::invalid_argument("no degrees of freedom");
  if (freedom <= kStudent.size()) return kStudent[freedom - 1];
  // Beyond the table, the first terms of the expansion around the normal distribution.
  constexpr double kCubed = kNormal * kNormal * kNormal;
  return kNormal + (kCubed + kNormal) / (4.0 * static_cast<double>(freedom));
}

double quantile(std::span<const double> sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double Summary::uncertainty() const {
  if (n < 2 || median <= 0) return std::numeric_limits<double>::infinity();
  return (median_high - median_low) / 2 / median;
}

Summary summarize(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("no values to summarize");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Summary summary;
  summary.n = sorted.size();
  summary.min = sorted.front();
  summary.max = sorted.back();
  summary.mean = mean_of(sorted);
  summary.median = quantile(sorted, 0.5);
  if (sorted.size() > 1) {
    double squares = 0;
    for (const double value : sorted) squares += (value - summary.mean) * (value - summary.mean);
    const auto n = static_cast<double>(sorted.size());
    summary.deviation = std::sqrt(squares / (n - 1));
    summary.half_width = student_95(sorted.size() - 1) * summary.deviation / std::sqrt(n);
  }
  add_median_interval(sorted, summary);
  const double far = 3 * summary.deviation;
  std::erase_if(sorted, [&](double value) { return std::abs(value - summary.mean) > far; });
  summary.trimmed_mean = sorted.empty() ? summary.mean : mean_of(sorted);
  return summary;
}

}  // namespace jouletree
