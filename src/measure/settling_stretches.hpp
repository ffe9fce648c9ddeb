#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <vector>

#include "jouletree/clock.hpp"
#include "jouletree/meter.hpp"
#include "jouletree/session.hpp"
#include "measure/usage_watch.hpp"

namespace jouletree::measure {

/// A stretch of a run, one after the other without a gap.
struct RunSample {
  WallTime at;          ///< The end of the stretch.
  WindowResult energy;  ///< Its begin and end are of the clock of the meters.
  UsageSample usage;
};

/// Stretches of a run whose energy the meters have not told yet. Asking at once would mean to wait:
/// nothing would run meanwhile, or signals would wait, too.
class SettlingStretches {
 public:
  using EnergyBetween = std::function<WindowResult(Time begin, Time end)>;
  using Told = std::function<void(RunSample)>;

  /// `told` hears of every stretch in its turn.
  SettlingStretches(const std::vector<MeterInfo>& meters, EnergyBetween between, Told told);

  void close(Time begin, Time end, WallTime at, UsageSample usage);
  /// Those that all meters that work have told about by now.
  void tell_settled(Time now);
  void tell_all();

 private:
  struct Stretch {
    Time begin;
    Time end;
    WallTime at;
    UsageSample usage;
  };

  void tell_first();

  std::chrono::nanoseconds settling_{std::chrono::milliseconds(50)};
  EnergyBetween between_;
  Told told_;
  std::deque<Stretch> open_;
};

}  // namespace jouletree::measure
