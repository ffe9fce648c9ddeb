#include "measure/compared_trials.hpp"

#include <algorithm>
#include <cmath>

#include "base/rank_tests.hpp"
#include "base/shift_estimate.hpp"
#include "base/student.hpp"
#include "measure/moments.hpp"

namespace jouletree::measure {
namespace {

constexpr double kAssumedFreedom = 1e9;
constexpr std::size_t kFewestLooks = 3;
/// Ranks of fewer than four and four moments are never rare.
constexpr std::size_t kTestableMoments = 4;
/// A 95 % interval is so many deviations wide.
constexpr double kWidthOfInterval = 2 * 1.959964;

/// Variance of the logarithm of the median, as its windows tell.
double variance_of_median(const std::vector<double>& windows) {
  const Summary summary = summarize(windows);
  if (summary.n < 2 || summary.median <= 0) return 0;
  if (summary.median_low <= 0) return 1;
  const double deviation = std::log(summary.median_high / summary.median_low) / kWidthOfInterval;
  return deviation * deviation;
}

struct DriftVariance {
  double variance = 0;
  double freedom = 0;
};

/// The profile as a whole is off by its deviation, and each of its moments once more.
DriftVariance drift_of(const ComparedTrials& trials, const Steadiness& steadiness) {
  const double each = steadiness.deviation * steadiness.deviation;
  return {each * (1 + 1 / std::max(trials.independent, 1.0)), steadiness.freedom};
}

/// Satterthwaite's degrees of freedom of a sum of variances.
double freedom_of_sum(const DriftVariance& a, const DriftVariance& b, double certain) {
  const double sum = a.variance + b.variance + certain;
  const double doubt = a.variance * a.variance / std::max(a.freedom, 1.0) +
                       b.variance * b.variance / std::max(b.freedom, 1.0);
  return doubt > 0 ? std::min(sum * sum / doubt, kAssumedFreedom) : kAssumedFreedom;
}

}  // namespace

Steadiness steadiness_of(const Trials& whole, bool is_disturbed) {
  const double least = is_disturbed ? kDisturbedDeviation : kLeastDeviation;
  std::vector<double> logs;
  for (const double moment : medians_of_moments(whole))
    if (moment > 0) logs.push_back(std::log(moment));
  if (logs.size() < kFewestLooks) return {kDisturbedDeviation, kAssumedFreedom};
  const double deviation = summarize(logs).deviation;
  if (deviation <= least) return {least, kAssumedFreedom};
  return {deviation, static_cast<double>(logs.size() - 1)};
}

ComparedTrials compared_trials(double value, const Trials& trials) {
  ComparedTrials compared;
  compared.value = value;
  compared.windows = trials.seconds;
  compared.moments = medians_of_moments(trials);
  compared.independent = static_cast<double>(std::max<std::size_t>(compared.moments.size(), 1));
  return compared;
}

ComparedTrials compared_sum(double value, const std::vector<CountedTrials>& parts) {
  std::size_t shortest = parts.front().trials->seconds.size();
  for (const CountedTrials& part : parts)
    shortest = std::min(shortest, part.trials->seconds.size());
  ComparedTrials compared;
  compared.value = value;
  compared.windows.assign(shortest, 0.0);
  double sum = 0;
  double squares = 0;
  for (const CountedTrials& part : parts) {
    for (std::size_t i = 0; i < shortest; ++i)
      compared.windows[i] += part.count * part.trials->seconds[i];
    const double weight = part.count * part.trials->time.median;
    const auto moments =
        static_cast<double>(std::max<std::size_t>(medians_of_moments(*part.trials).size(), 1));
    sum += weight;
    squares += weight * weight / moments;
  }
  if (squares > 0) compared.independent = sum * sum / squares;
  return compared;
}

DifferenceTest test_difference(const ComparedTrials& first, const Steadiness& one,
                               const ComparedTrials& second, const Steadiness& other) {
  const bool by_moments =
      first.moments.size() >= kTestableMoments && second.moments.size() >= kTestableMoments;
  const std::vector<double>& a = by_moments ? first.moments : first.windows;
  const std::vector<double>& b = by_moments ? second.moments : second.windows;
  DifferenceTest result;
  result.test =
      by_moments ? "Mann-Whitney on moments, and drift" : "Mann-Whitney on windows, and drift";
  result.p_trials = mann_whitney(a, b).p;
  const DriftVariance drift_a = drift_of(first, one);
  const DriftVariance drift_b = drift_of(second, other);
  const double of_medians = variance_of_median(a) + variance_of_median(b);
  const double freedom = freedom_of_sum(drift_a, drift_b, of_medians);
  const double deviation = std::sqrt(drift_a.variance + drift_b.variance + of_medians);
  const double log_ratio = std::log(second.value / first.value);
  result.p_drift = 2 * student_tail(std::abs(log_ratio) / deviation, freedom);
  result.p = std::max(result.p_trials, result.p_drift);
  const double half_width = student_deviations(0.025, freedom) * deviation;
  result.ratio = {std::exp(log_ratio), std::exp(log_ratio - half_width),
                  std::exp(log_ratio + half_width)};
  const Figure shift = ratio_between(a, b);
  if (shift.low) result.ratio.low = std::min(*result.ratio.low, *shift.low);
  if (shift.high) result.ratio.high = std::max(*result.ratio.high, *shift.high);
  return result;
}

}  // namespace jouletree::measure
