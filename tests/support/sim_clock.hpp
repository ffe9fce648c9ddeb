#pragma once

#include "jouletree/clock.hpp"

namespace jouletree::test {

/// A clock that stands still until it is told to go on.
class SimClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] std::chrono::nanoseconds suspended() const override { return suspended_; }
  [[nodiscard]] WallTime wall() const override {
    return WallTime(std::chrono::seconds(1'700'000'000)) + (now_ - begin()) + suspended_ + stepped_;
  }
  [[nodiscard]] static Time begin() { return Time(std::chrono::seconds(1000)); }

  void advance(std::chrono::nanoseconds time) { now_ += time; }
  void advance_to(Time time) { now_ = time; }
  /// The machine sleeps: time of day goes on, monotonic time does not.
  void suspend(std::chrono::nanoseconds time) { suspended_ += time; }
  /// Somebody sets the time of day.
  void step_wall(std::chrono::nanoseconds by) { stepped_ += by; }

 private:
  Time now_ = begin();
  std::chrono::nanoseconds suspended_{};
  std::chrono::nanoseconds stepped_{};
};

}  // namespace jouletree::test
