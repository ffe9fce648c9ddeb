#pragma once

#include <chrono>

namespace jouletree {

/// A moment on CLOCK_MONOTONIC, which is the same in all processes of a machine and stands still
/// while the machine is suspended.
using Time = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;

/// What time it is. Meters and sampler know time only through a clock, so that tests can pass an
/// hour in a moment. Safe to call from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Time now() const = 0;
  /// How long the machine has been suspended since it started.
  [[nodiscard]] virtual std::chrono::nanoseconds suspended() const = 0;
  /// The time of day, which people and NTP may set at any moment.
  [[nodiscard]] virtual WallTime wall() const = 0;
};

/// The clocks of this machine.
[[nodiscard]] const Clock& machine_clock();

}  // namespace jouletree
