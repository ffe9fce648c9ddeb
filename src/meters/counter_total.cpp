#include "meters/counter_total.hpp"

#include <cmath>
#include <utility>

namespace jouletree::meters {

GapReason CounterTotal::add(std::uint64_t count, Time at) {
  GapReason gap = GapReason::None;
  if (!started_) {
    started_ = true;
  } else if (forgotten_ != GapReason::None) {
    gap = std::exchange(forgotten_, GapReason::None);
  } else {
    gap = take_step(count, at - last_at_);
  }
  last_ = count;
  last_at_ = at;
  return gap;
}

GapReason CounterTotal::take_step(std::uint64_t count, Seconds time) {
  const double most_j = scale_.most.value * time.count();
  if (scale_.range > 0) {
    // With so much time, the device could have gone round without a trace.
    const double range_j = static_cast<double>(scale_.range) * scale_.joules_per_count;
    if (most_j >= range_j) return GapReason::Wraps;
  }
  if (count >= last_) {
    // Updates may come late, but not by so much; a leap beyond is a fault of the device.
    constexpr Seconds kLongestDelay{10};
    const double leap_j = most_j + scale_.most.value * kLongestDelay.count();
    const double step_j = static_cast<double>(count - last_) * scale_.joules_per_count;
    if (step_j > leap_j) return GapReason::Failed;
    counted_ += count - last_;
    return GapReason::None;
  }
  if (scale_.range <= last_) return GapReason::Reset;
  const std::uint64_t step = scale_.range - last_ + count;
  // A counter that was set back looks like one that wrapped, but for the power that would take. The
  // energy shown may have been used before the last reading, so one update period comes on top.
  constexpr Seconds kLongestUpdate{0.1};
  const double plausible_j = most_j + scale_.most.value * kLongestUpdate.count();
  if (static_cast<double>(step) * scale_.joules_per_count > plausible_j) return GapReason::Reset;
  counted_ += step;
  return GapReason::None;
}

void CounterTotal::forget(GapReason why) {
  if (started_) forgotten_ = why;
}

Joules CounterTotal::total() const {
  return Joules::from(static_cast<double>(counted_) * scale_.joules_per_count);
}

}  // namespace jouletree::meters
