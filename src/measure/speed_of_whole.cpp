#include "measure/speed_of_whole.hpp"

#include <algorithm>

namespace jouletree::measure {
namespace {

/// Two windows that differ more were not disturbed alike.
constexpr double kAlike = 1.05;

}  // namespace

SpeedOfWhole::SpeedOfWhole(const Trials& whole) : median_(whole.time.median) {
  for (std::size_t i = 0; i < whole.windows.size(); ++i) {
    const Window& window = whole.windows[i];
    looks_.push_back({window.begin + (window.end - window.begin) / 2, whole.seconds[i]});
  }
  std::sort(looks_.begin(), looks_.end(), [](const Look& a, const Look& b) { return a.at < b.at; });
}

double SpeedOfWhole::relative_time_around(Time begin, Time end) const {
  const auto after =
      std::find_if(looks_.begin(), looks_.end(), [&](const Look& look) { return look.at >= end; });
  const auto before = std::find_if(looks_.rbegin(), looks_.rend(),
                                   [&](const Look& look) { return look.at <= begin; });
  if (after == looks_.end() && before == looks_.rend()) return 1;
  if (after == looks_.end()) return before->seconds / median_;
  if (before == looks_.rend()) return after->seconds / median_;
  const auto [quick, slow] = std::minmax(before->seconds, after->seconds);
  return (slow > kAlike * quick ? quick : (quick + slow) / 2) / median_;
}

}  // namespace jouletree::measure
