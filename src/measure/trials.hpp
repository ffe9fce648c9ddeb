#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "jouletree/clock.hpp"

namespace jouletree::measure {

/// How long and how exactly one workload is measured.
struct TrialPlan {
  double precision = 0.02;                   ///< Uncertainty of the median that is enough.
  std::chrono::duration<double> least{0.5};  ///< All windows together: enough for the meters.
  std::chrono::duration<double> most{3};     ///< When to stop although it is not exact.
};

/// One window: so many runs, as told by the clock of the machine.
struct Window {
  Time begin;
  Time end;
  std::int64_t runs = 1;
  /// Of the runs alone, if something else ran in between; else they took the whole window.
  std::optional<std::chrono::duration<double>> inside{};

  [[nodiscard]] double seconds_per_run() const {
    const std::chrono::duration<double> lasted = inside.value_or(end - begin);
    return lasted.count() / static_cast<double>(runs);
  }
};

/// Windows of one workload.
struct Trials {
  std::vector<Window> windows;
  std::vector<double> seconds;  ///< Per run, one number per window.
  std::int64_t runs = 0;        ///< In all windows.
  Time begin;                   ///< Of the first window.
  Time end;                     ///< Of the last.
  Summary time;                 ///< Of `seconds`.
  bool precise = false;         ///< The asked precision was reached.
};

/// Runs windows until they are exact enough, or seem to be disturbed, or the time is over. `run`
/// runs the workload that often; `run_time` is a first guess of how long one run takes.
template <class Run>
[[nodiscard]] Trials run_trials(const TrialPlan& plan, std::chrono::duration<double> run_time,
                                const Run& run);

/// True if the median is known as exactly as asked. The interval that people are shown decides, so
/// that what is said about it and what is shown agree.
[[nodiscard]] bool is_precise(const TrialPlan& plan, const Summary& time);
/// When a series may end.
[[nodiscard]] bool is_enough(const TrialPlan& plan, const Trials& trials);
/// How many runs make a window of sensible length.
[[nodiscard]] std::int64_t runs_per_window(const TrialPlan& plan,
                                           std::chrono::duration<double> run_time);

template <class Run>
Trials run_trials(const TrialPlan& plan, std::chrono::duration<double> run_time, const Run& run) {
  Trials trials;
  const std::int64_t runs = runs_per_window(plan, run_time);
  while (!is_enough(plan, trials)) {
    Window window = run(runs);
    window.runs = runs;
    trials.windows.push_back(window);
    if (trials.seconds.empty()) trials.begin = window.begin;
    trials.end = window.end;
    trials.runs += window.runs;
    trials.seconds.push_back(window.seconds_per_run());
    trials.time = summarize(trials.seconds);
  }
  trials.precise = is_precise(plan, trials.time);
  return trials;
}

}  // namespace jouletree::measure
