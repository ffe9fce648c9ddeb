#pragma once

#include <chrono>

#include "jouletree/meter.hpp"

namespace jouletree::meters {

/// Integrates power that is known only now and then.
class PowerIntegral {
 public:
  /// `update_period`: how old a value may be. `resolution_w`: its smallest step.
  PowerIntegral(std::chrono::nanoseconds update_period, double resolution_w)
      : update_period_(update_period), resolution_w_(resolution_w) {}

  /// Late if so much time has passed that the power in between is anybody's guess, Failed if no
  /// device has so much power; neither adds anything.
  [[nodiscard]] GapReason add(Watts power, Time at);
  void forget(GapReason why);
  [[nodiscard]] Joules total() const { return Joules::from(total_j_); }
  [[nodiscard]] Joules doubt() const { return Joules::from(doubt_j_); }

 private:
  Seconds update_period_;
  double resolution_w_;
  double total_j_ = 0;
  double doubt_j_ = 0;
  Watts last_;
  Time last_at_{};
  bool started_ = false;
  GapReason forgotten_ = GapReason::None;
};

}  // namespace jouletree::meters
