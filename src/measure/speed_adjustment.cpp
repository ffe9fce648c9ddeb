#include "measure/speed_adjustment.hpp"

#include <algorithm>
#include <cmath>

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

/// Half a 95 % interval, in standard deviations.
constexpr double kInterval = 1.96;
/// Windows of the whole with less between them ran right after each other.
constexpr Duration kInBetween{0.1};
/// Fewer pairs of windows than that say little, so those right after each other help.
constexpr std::size_t kEnoughPairs = 4;
/// Changes beyond this quantile may be bursts and steps, which are few. The normal distribution has
/// it at so many deviations.
constexpr double kUsual = 0.8;
constexpr double kUsualDeviations = 1.2816;
/// Two windows that differ by more deviations than that saw a burst.
constexpr double kBurst = 3;
constexpr double kAlikeWindows = 1.05;

/// What is left of a correction that is known to lie within so much of itself.
double damped(double correction, double half_width) {
  if (std::abs(correction) <= half_width) return 0;
  const double doubt = half_width / correction;
  return correction * (1 - doubt * doubt);
}

}  // namespace

SpeedAdjustment::SpeedAdjustment(const Trials& whole, std::span<const SeriesSpan> series) {
  for (std::size_t i = 0; i < whole.windows.size(); ++i) {
    const Window& window = whole.windows[i];
    // A clock that is too coarse for the whole says nothing about speed.
    if (whole.seconds[i] <= 0 || whole.time.median <= 0) continue;
    looks_.push_back({window.begin, window.end, std::log(whole.seconds[i] / whole.time.median)});
  }
  std::sort(looks_.begin(), looks_.end(),
            [](const Look& a, const Look& b) { return a.begin < b.begin; });
  deviation_ = deviation_of_looks();
  double weight = 0;
  double common = 0;
  std::vector<Beside> all;
  for (const SeriesSpan& span : series) {
    all.push_back(beside(span));
    weight += span.weight;
    common += span.weight * all.back().log_time;
  }
  if (weight <= 0) {
    factors_.resize(series.size());
    return;
  }
  common /= weight;
  const double common_width = common_half_width(series, all, weight);
  const double kept = damped(common, common_width);
  common_low_ = std::min(1.0, std::exp(common - common_width - kept));
  common_high_ = std::max(1.0, std::exp(common + common_width - kept));
  for (const Beside& one : all) {
    const double own = one.log_time - common;
    const double width = one.looks.empty() ? 0
                                           : kInterval * deviation_ /
                                                 std::sqrt(static_cast<double>(one.looks.size()));
    const double value = kept + damped(own, width);
    factors_.push_back({std::exp(value), std::exp(std::min(value, kept + own - width)),
                        std::exp(std::max(value, kept + own + width))});
  }
}

double SpeedAdjustment::deviation_of_looks() const {
  std::vector<double> apart;
  std::vector<double> all;
  for (std::size_t i = 1; i < looks_.size(); ++i) {
    all.push_back(std::abs(looks_[i].log_time - looks_[i - 1].log_time));
    if (looks_[i].begin - looks_[i - 1].end >= kInBetween) apart.push_back(all.back());
  }
  std::vector<double>& changes = apart.size() < kEnoughPairs ? all : apart;
  if (changes.empty()) return 0;
  std::sort(changes.begin(), changes.end());
  return quantile(changes, kUsual) / (kUsualDeviations * std::sqrt(2.0));
}

SpeedAdjustment::Beside SpeedAdjustment::beside(const SeriesSpan& span) const {
  const auto middle = [](const Look& look) { return look.begin + (look.end - look.begin) / 2; };
  const auto after = std::find_if(looks_.begin(), looks_.end(),
                                  [&](const Look& look) { return middle(look) >= span.end; });
  const auto before = std::find_if(looks_.rbegin(), looks_.rend(),
                                   [&](const Look& look) { return middle(look) <= span.begin; });
  Beside found;
  if (before != looks_.rend())
    found.looks.push_back(static_cast<std::size_t>(looks_.rend() - before) - 1);
  if (after != looks_.end())
    found.looks.push_back(static_cast<std::size_t>(after - looks_.begin()));
  if (found.looks.empty()) return found;
  const double one = looks_[found.looks.front()].log_time;
  const double other = looks_[found.looks.back()].log_time;
  const double most = std::max(std::log(kAlikeWindows), kBurst * std::sqrt(2.0) * deviation_);
  // Others use the machine in bursts, and one of these is often seen by a single window only.
  const bool burst = std::abs(one - other) > most;
  found.log_time = burst ? std::min(one, other) : (one + other) / 2;
  return found;
}

double SpeedAdjustment::common_half_width(std::span<const SeriesSpan> series,
                                          const std::vector<Beside>& all, double weight) const {
  // Series share looks, and what one look is off counts for all of them.
  std::vector<double> shares(looks_.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::size_t look : all[i].looks)
      shares[look] += series[i].weight / weight / static_cast<double>(all[i].looks.size());
  }
  double squares = 0;
  for (const double share : shares) squares += share * share;
  return kInterval * deviation_ * std::sqrt(squares);
}

double SpeedAdjustment::scatter() const { return std::expm1(deviation_); }

}  // namespace jouletree::measure
