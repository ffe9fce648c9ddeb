#include "meters/power_integral.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jouletree::meters {

GapReason PowerIntegral::add(Watts power, Time at) {
  constexpr Watts kNonsense{1e7};
  // At rest, noise takes sensors a little below zero. Further below, somebody has swapped the
  // wires.
  constexpr Watts kMostNoise{5};
  const bool is_power = power < kNonsense && Watts{0} < power + kMostNoise;
  if (!is_power) {
    forget(GapReason::Failed);
    return GapReason::Failed;
  }
  power = std::max(power, Watts{0});
  const Seconds time = at - last_at_;
  GapReason gap = std::exchange(forgotten_, GapReason::None);
  // A missed poll or ten may be bridged; a machine that stood still may not.
  const Seconds longest = std::max(10 * update_period_, Seconds(1));
  if (started_ && gap == GapReason::None && time > longest) gap = GapReason::Late;
  if (started_ && gap == GapReason::None) {
    total_j_ += (last_ + power).value / 2 * time.count();
    // If the power changed at once, it did so at any moment between the two polls, or up to an
    // update period before the first of them.
    const double change_w = std::abs((power - last_).value);
    doubt_j_ += change_w * (time.count() / 2 + update_period_.count());
    doubt_j_ += resolution_w_ / 2 * time.count();
  }
  started_ = true;
  last_ = power;
  last_at_ = at;
  return gap;
}

void PowerIntegral::forget(GapReason why) {
  if (started_) forgotten_ = why;
}

}  // namespace jouletree::meters
