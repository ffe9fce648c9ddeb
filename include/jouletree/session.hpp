#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/meter.hpp"

namespace jouletree {

/// An amount with the bounds that the true one lies in. A bound that is not known is absent:
/// `high` after a gap, both of an estimate.
struct EnergyRange {
  Joules value;
  std::optional<Joules> low;
  std::optional<Joules> high;
};

/// A stretch of time in which a meter's energy is unknown; nothing was counted for it.
struct Gap {
  std::string meter;
  GapReason reason = GapReason::None;
  Time begin;
  Time end;
};

/// What one meter counted in a window.
struct DomainEnergy {
  std::string name;  ///< MeterInfo::name.
  Level level = Level::Other;
  MeterKind kind = MeterKind::Counter;
  Provenance provenance = Provenance::Measured;
  std::optional<EnergyRange> gross;       ///< Nothing where the meter was lost all the time.
  std::optional<EnergyRange> above_idle;  ///< Nothing without a baseline. May be negative.
  std::chrono::nanoseconds covered{};     ///< Duration less the gaps.
  std::optional<Watts> average;           ///< Over the covered time.
  /// Highest mean over `peak_over`; nothing in short windows, and where it is below the average.
  std::optional<Watts> peak;
  std::chrono::nanoseconds peak_over{};
};

/// The sum over one level.
struct TotalEnergy {
  std::vector<std::string> summed;  ///< Names of the domains in the sum.
  std::string rule;                 ///< Why these: "packages, their memory and graphics cards".
  Provenance provenance = Provenance::Measured;  ///< Estimated as soon as one part is.
  std::optional<EnergyRange> gross;
  std::optional<EnergyRange> above_idle;
  std::optional<Watts> average;  ///< Over the covered time.
  std::optional<Watts> peak;     ///< As that of a domain, where all parts are known.
  std::chrono::nanoseconds peak_over{};
  /// Those of `summed` that told nothing for some or all of the time. `gross` then is a lower
  /// bound, also where an estimate leaves it without bounds.
  std::vector<std::string> missing;
  std::chrono::nanoseconds covered{};  ///< Time for which all parts are known.
};

using WindowId = std::uint64_t;

/// What happened between begin() and end().
struct WindowResult {
  WindowId id = 0;
  std::optional<WindowId> parent;  ///< The window that the same thread had open.
  std::string name;
  Time begin;
  Time end;
  [[nodiscard]] std::chrono::nanoseconds duration() const { return end - begin; }
  std::vector<DomainEnergy> domains;  ///< In the order of the meters.
  TotalEnergy total;
  std::vector<Gap> gaps;
};

/// Power of one domain while nothing runs.
struct IdlePower {
  std::string name;  ///< MeterInfo::name.
  Watts power;
  std::optional<Watts> low;
  std::optional<Watts> high;
};

struct Baseline {
  std::chrono::nanoseconds duration{};
  std::vector<IdlePower> domains;
};

/// The mean power of a window as a baseline. Domains without energy have none.
[[nodiscard]] Baseline baseline_of(const WindowResult& window);

/// What a meter has counted since the session began.
struct RunningTotal {
  Joules total;
  std::optional<Watts> power;  ///< Mean of the last tenth of a second, or of as long as it takes.
  std::chrono::nanoseconds gaps{};
  bool lost = false;       ///< Cannot be read at present.
  std::optional<Time> at;  ///< Of the last reading; nothing if there was none.
};

/// What measuring itself costs, and how punctual it is.
struct SamplerCost {
  std::uint64_t ticks = 0;
  std::uint64_t readings = 0;
  std::uint64_t overruns = 0;  ///< Ticks that were left out because the last took too long.
  std::chrono::nanoseconds cpu_time{};  ///< Of the sampler thread.
  std::chrono::nanoseconds elapsed{};
  std::chrono::nanoseconds late_median{};  ///< How much later than planned ticks came.
  std::chrono::nanoseconds late_p99{};
  std::chrono::nanoseconds late_worst{};
};

/// How to sample. Of the levels that can make the total, Wall, Board, Psys and Battery take the
/// meters of that level; Package takes packages (or cores and uncores where a package has no meter
/// of its own), memory and graphics cards.
struct SessionOptions {
  std::chrono::nanoseconds interval = std::chrono::milliseconds(10);  ///< 1 ms at least.
  /// Else: Wall where there is one, then Package, Psys, Board, graphics cards alone, Battery.
  std::optional<Level> total_level{};
};

/// Samples meters on a thread of its own, and tells what was used between any two moments. All
/// functions may be called from any thread at any time.
class Session {
 public:
  /// Throws Error(BadInput) for an interval below 1 ms, Error(Missing) if there is no meter.
  explicit Session(std::vector<std::unique_ptr<Meter>> meters, const SessionOptions& options = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  /// Windows that are still open end without a result.
  ~Session();

  /// What is sampled, in the order of all results.
  [[nodiscard]] const std::vector<MeterInfo>& meters() const;

  /// Opens a window. Windows may nest and overlap.
  WindowId begin(std::string_view name);
  /// Closes it now; what it used is known an update period later. Throws Error(BadInput) for a
  /// window that is not open.
  void end(WindowId window);
  /// Waits until the meters have told what happened up to the window's end, and hands over the
  /// result; each can be taken once. Throws Error(BadInput) for a window that was not ended.
  [[nodiscard]] WindowResult result(WindowId window);
  /// The end of a window and its result.
  [[nodiscard]] WindowResult finish(WindowId window);
  /// A span in the past that was timed elsewhere, perhaps in another process. The last minutes are
  /// kept sample by sample; further back the bounds of the result grow.
  [[nodiscard]] WindowResult between(Time begin, Time end);

  /// Measures for a while, during which the caller keeps the machine idle; later results carry
  /// energy above it.
  Baseline measure_baseline(std::chrono::nanoseconds duration);
  /// The same with a baseline from elsewhere. Domains that it does not name have none.
  void set_baseline(const Baseline& baseline);

  [[nodiscard]] std::vector<RunningTotal> totals() const;
  [[nodiscard]] SamplerCost cost() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jouletree
