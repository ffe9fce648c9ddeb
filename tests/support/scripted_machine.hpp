#pragma once

#include <algorithm>
#include <vector>

#include "measure/energy_source.hpp"
#include "support/sim_clock.hpp"

namespace jouletree::test {

/// A machine on a clock of its own, with a device that works beside it. It knows what both truly
/// use, and is slower while others use it.
class ScriptedMachine {
 public:
  static constexpr double kIdleWatts = 5;

  [[nodiscard]] const SimClock& clock() const { return clock_; }
  [[nodiscard]] Time now() const { return clock_.now(); }
  /// Everything takes `factor` times as long from `from` to `to` after the beginning.
  void disturb(Seconds from, Seconds to, double factor);
  /// What takes so long on the undisturbed machine.
  void work(Seconds time, double watts) { clock_.advance_to(use(now(), time, watts)); }
  void wait(Seconds time) { work(time, kIdleWatts); }
  /// Hands work to a device and returns at once. The device does it after what it got before.
  void start(Seconds time, double watts) { idle_at_ = use(std::max(now(), idle_at_), time, watts); }
  /// Returns when the device has done all its work.
  void synchronise() { clock_.advance_to(std::max(now(), idle_at_)); }
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

  [[nodiscard]] double factor_at(Time time) const;
  [[nodiscard]] Time next_change(Time after) const;
  /// Returns when what begins then is done.
  [[nodiscard]] Time use(Time begin, Seconds time, double watts);

  SimClock clock_;
  Time idle_at_ = SimClock::begin();  ///< The device.
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
  bool knows_idle_ = false;
};

}  // namespace jouletree::test
