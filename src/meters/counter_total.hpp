#pragma once

#include <cstdint>

#include "jouletree/meter.hpp"

namespace jouletree::meters {

/// How a device counts.
struct CounterScale {
  double joules_per_count = 1e-6;
  std::uint64_t range = 0;  ///< Counts at which it starts again from zero; 0 if it never does.
  Watts most;               ///< More than the device can draw.
};

/// Turns a count that wraps around, is reset or is not read for a while into energy that never
/// decreases. What cannot be known is left out and reported, never guessed.
class CounterTotal {
 public:
  explicit CounterTotal(const CounterScale& scale) : scale_(scale) {}

  /// The reason why the energy since the last count is unknown and was left out, else None.
  [[nodiscard]] GapReason add(std::uint64_t count, Time at);
  /// The next count starts anew.
  void forget(GapReason why);
  [[nodiscard]] Joules total() const;

 private:
  [[nodiscard]] GapReason take_step(std::uint64_t count, Seconds time);

  CounterScale scale_;
  std::uint64_t counted_ = 0;
  std::uint64_t last_ = 0;
  Time last_at_{};
  bool started_ = false;
  GapReason forgotten_ = GapReason::None;
};

}  // namespace jouletree::meters
