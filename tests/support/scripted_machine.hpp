#pragma once

#include <vector>

#include "measure/energy_source.hpp"
#include "support/sim_clock.hpp"

namespace jouletree::test {

/// A machine on a clock of its own. It knows what it truly uses, and is slower while others use it.
class ScriptedMachine {
 public:
  static constexpr double kIdleWatts = 5;

  [[nodiscard]] const SimClock& clock() const { return clock_; }
  [[nodiscard]] Time now() const { return clock_.now(); }
  /// Everything takes `factor` times as long from `from` to `to` after the beginning.
  void disturb(Seconds from, Seconds to, double factor);
  /// What takes so long on the undisturbed machine.
  void work(Seconds time, double watts);
  void wait(Seconds time) { work(time, kIdleWatts); }
  /// Of which it is known what it used; no power for moments to come.
  [[nodiscard]] double joules(Time begin, Time end) const;

 private:
  struct Stretch {
    Time begin;
    Time end;
    double watts = 0;
  };
  struct Disturbance {
    Time begin;
    Time end;
    double factor = 1;
  };

  [[nodiscard]] double factor_now() const;
  [[nodiscard]] Time next_change() const;

  SimClock clock_;
  std::vector<Stretch> used_;
  std::vector<Disturbance> disturbances_;
};

/// A counter of the machine's energy that moves once per period, as those of graphics cards do.
class ScriptedEnergy final : public measure::EnergySource {
 public:
  ScriptedEnergy(ScriptedMachine& machine, std::chrono::nanoseconds period)
      : machine_(machine), period_(period) {}

  [[nodiscard]] std::vector<MeterInfo> meters() const override;
  [[nodiscard]] WindowResult between(Time begin, Time end) override;
  [[nodiscard]] Baseline measure_baseline(std::chrono::nanoseconds time) override;
  [[nodiscard]] std::optional<double> own_share() const override { return 0; }

 private:
  /// The last moment at which the counter moved.
  [[nodiscard]] Time last_step(Time time) const;

  ScriptedMachine& machine_;
  std::chrono::nanoseconds period_;
};

}  // namespace jouletree::test
