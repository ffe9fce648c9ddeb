#pragma once

#include <string>

#include "measure/profile.hpp"

namespace jouletree::test {

/// A profile that nobody measured: 10 ms at 10 W for the whole model; operators of 1 ms (Gather),
/// 2 × 4 ms (MatMul) and 0.5 ms (Relu), which explain 95 %; modules `embed`, and `head.0` and
/// `head.1`, which are equal. Power is known from 0 to 2 s, idle power is 4 W.
class SampleProfile {
 public:
  SampleProfile();

  measure::Profile profile;

  /// A moment of the measuring.
  [[nodiscard]] static Time at_ms(std::int64_t ms) {
    return Time(std::chrono::hours(5)) + std::chrono::milliseconds(ms);
  }
  /// Two windows of 10 runs each, one behind the other, at 10 W.
  [[nodiscard]] static measure::Measured measured(std::int64_t begin_ms, double ms_per_run);

 private:
  static std::string model_bytes();

  std::string bytes_;  ///< The graph points into it.
};

}  // namespace jouletree::test
