#pragma once

#include <atomic>
#include <cstdint>

#include "jouletree/clock.hpp"

namespace jouletree::meters {

/// Lets one thread sleep until a moment of CLOCK_MONOTONIC, or until another thread rings. Like
/// clock_nanosleep with TIMER_ABSTIME it does not drift, but it can be cut short.
class Alarm {
 public:
  /// May return early.
  void wait_until(Time deadline);
  void ring();

 private:
  std::atomic<std::uint32_t> rings_ = 0;
  std::uint32_t heard_ = 0;
};

}  // namespace jouletree::meters
