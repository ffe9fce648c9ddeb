#pragma once

#include <vector>

#include "measure/trials.hpp"

namespace jouletree {

/// How fast the machine was while parts of a model were measured, as windows of the whole model in
/// between tell it.
class SpeedOfWhole {
 public:
  /// Of at least one window.
  explicit SpeedOfWhole(const Trials& whole);

  /// By how much a time that was measured then must be multiplied to stand beside the whole's
  /// median. From several windows around, because a single one is often wrong.
  [[nodiscard]] double factor_at(Time time) const;
  /// How much longer than its median the whole took both in the last window before and in the first
  /// one after this, as a share of the median.
  [[nodiscard]] double slowdown_around(Time begin, Time end) const;

 private:
  struct Look {
    Time at;
    double seconds = 0;
  };
  std::vector<Look> looks_;  ///< By time.
  double median_;
};

}  // namespace jouletree
