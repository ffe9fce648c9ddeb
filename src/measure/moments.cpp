#include "measure/moments.hpp"

#include <algorithm>

namespace jouletree::measure {
namespace {

/// A longer series is several moments, and windows with more between them are different ones.
constexpr std::chrono::duration<double> kLongestMoment{0.5};
constexpr std::chrono::duration<double> kBetweenMoments{0.1};
constexpr std::size_t kEnoughMoments = 4;

}  // namespace

std::vector<double> medians_of_moments(const Trials& trials) {
  std::vector<double> medians;
  std::vector<double> moment;
  const auto finish = [&] {
    if (moment.empty()) return;
    std::sort(moment.begin(), moment.end());
    medians.push_back(quantile(moment, 0.5));
    moment.clear();
  };
  Time begin;
  for (std::size_t i = 0; i < trials.windows.size(); ++i) {
    const Window& window = trials.windows[i];
    const bool follows = !moment.empty() &&
                         window.begin - trials.windows[i - 1].end < kBetweenMoments &&
                         window.end - begin <= kLongestMoment;
    if (!follows) {
      finish();
      begin = window.begin;
    }
    moment.push_back(trials.seconds[i]);
  }
  finish();
  return medians;
}

Summary summary_over_moments(const Trials& trials) {
  Summary summary = summarize(trials.seconds);
  const Summary moments = summarize(medians_of_moments(trials));
  if (moments.n < kEnoughMoments) {
    summary.median_low = std::min(summary.median_low, moments.min);
    summary.median_high = std::max(summary.median_high, moments.max);
    return summary;
  }
  summary.median = moments.median;
  summary.median_low = moments.median_low;
  summary.median_high = moments.median_high;
  return summary;
}

}  // namespace jouletree::measure
