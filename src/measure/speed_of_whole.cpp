#include "measure/speed_of_whole.hpp"

#include <algorithm>

namespace jouletree {
namespace {

constexpr std::size_t kLooksAround = 6;

}  // namespace

SpeedOfWhole::SpeedOfWhole(const Trials& whole) : median_(whole.time.median) {
  for (std::size_t i = 0; i < whole.windows.size(); ++i) {
    const Window& window = whole.windows[i];
    looks_.push_back({window.begin + (window.end - window.begin) / 2, whole.seconds[i]});
  }
  std::sort(looks_.begin(), looks_.end(), [](const Look& a, const Look& b) { return a.at < b.at; });
}

double SpeedOfWhole::factor_at(Time time) const {
  const auto after = std::lower_bound(looks_.begin(), looks_.end(), time,
                                      [](const Look& look, Time at) { return look.at < at; });
  const auto place = static_cast<std::size_t>(after - looks_.begin());
  const std::size_t count = std::min(kLooksAround, looks_.size());
  const std::size_t half = count / 2;
  const std::size_t first = std::min(place > half ? place - half : 0, looks_.size() - count);
  std::vector<double> around;
  for (std::size_t i = first; i < first + count; ++i) around.push_back(looks_[i].seconds);
  return median_ / summarize(around).median;
}

double SpeedOfWhole::slowdown_around(Time begin, Time end) const {
  const Look* before = nullptr;
  const Look* after = nullptr;
  for (const Look& look : looks_) {
    if (look.at <= begin) before = &look;
    if (look.at >= end && after == nullptr) after = &look;
  }
  if (before == nullptr || after == nullptr) return 0;
  return std::max(std::min(before->seconds, after->seconds) / median_ - 1, 0.0);
}

}  // namespace jouletree
