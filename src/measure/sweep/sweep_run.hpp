#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engines/engine.hpp"
#include "jouletree/clock.hpp"
#include "measure/energy_source.hpp"
#include "measure/settling_stretches.hpp"
#include "measure/sweep/quantities.hpp"
#include "measure/usage_watch.hpp"

namespace jouletree::measure {

/// What happens in every run of a sweep.
struct SweepRunPlan {
  using Duration = std::chrono::duration<double>;

  Duration cool_down{1};  ///< Nothing happens, so that heat of the run before is gone.
  Duration baseline{2};   ///< Then idle power is measured; 0: not.
  Duration warm_up{1};    ///< The model runs, and nothing of it counts.
  Duration seconds{20};   ///< How long it runs; one inference at least.
  /// Exactly so many inferences instead.
  std::optional<std::int64_t> inferences{};
  Duration step{0.5};  ///< Between two lines of recorded power.
};

/// What a run is measured with; all must outlive it.
struct SweepTools {
  EnergySource& energy;
  const Clock& clock;
  /// Makes what tells the use of CPUs and memory, just before the run begins. May be empty.
  std::function<std::function<UsageSample(Time)>()> watch_usage{};
  /// Told how much of the run is done, 0 to 1, and may throw.
  std::function<void(double)> progress{};
};

/// One run as it was measured.
struct SweepRun {
  std::optional<Baseline> idle;
  WallTime began;
  Time begin;
  Time end;
  std::vector<double> latencies_s;  ///< Of all inferences, in their order.
  WindowResult energy;              ///< From the first inference to the last one.
  std::vector<RunSample> samples;   ///< Stretches of it without a gap between them.
};

/// Lets the machine cool down and measures its idle power, before an engine is opened.
[[nodiscard]] std::optional<Baseline> rest(const SweepRunPlan& plan, EnergySource& energy);

/// Warms the loaded model up and runs it. Throws Error and EngineLost.
[[nodiscard]] SweepRun measure_sweep_run(const SweepRunPlan& plan, engines::Engine& engine,
                                         const SweepTools& tools);

/// What a run tells, per inference where that makes sense. `counted` is added.
[[nodiscard]] KnownValues values_of(const SweepRun& run, KnownValues counted = {});

/// What is counted of a loaded model: parameters, MACs, FLOPs, bytes.
[[nodiscard]] KnownValues counted_values(const engines::LoadedModel& model);

}  // namespace jouletree::measure
