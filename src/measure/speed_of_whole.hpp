#pragma once

#include <vector>

#include "measure/trials.hpp"

namespace jouletree::measure {

/// How fast the machine was while parts of a model were measured, as windows of the whole model in
/// between tell it.
class SpeedOfWhole {
 public:
  /// Of at least one window.
  explicit SpeedOfWhole(const Trials& whole);

  /// Time of the whole in the last window before and the first one after this, divided by its
  /// median. If the two are not alike the quicker one counts: others use the machine in bursts, and
  /// one of them is often seen by a single window only.
  [[nodiscard]] double relative_time_around(Time begin, Time end) const;

 private:
  struct Look {
    Time at;
    double seconds = 0;
  };
  std::vector<Look> looks_;  ///< By time.
  double median_;
};

}  // namespace jouletree::measure
