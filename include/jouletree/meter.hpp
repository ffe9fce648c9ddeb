#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/clock.hpp"
#include "jouletree/provenance.hpp"
#include "jouletree/units.hpp"

namespace jouletree {

/// Which part of the machine a meter covers. Parts contain each other (psys ⊃ package ⊃ core and
/// uncore; wall and battery ⊃ everything), so only one level may be summed.
enum class Level : std::uint8_t {
  Wall,     ///< The whole machine at its plug.
  Battery,  ///< The whole machine as its battery feeds it.
  Board,    ///< The whole board, as its input rail sees it.
  Psys,     ///< The platform as RAPL sees it; how much that is depends on the maker.
  Package,  ///< A CPU socket or die.
  Core,     ///< The cores of a package.
  Uncore,   ///< The rest of a package, mostly its graphics.
  Dram,     ///< The memory of a package, which the package does not contain.
  Gpu,      ///< A graphics card.
  Rail,     ///< One supply of a board, contained in Board.
  Other,    ///< Something whose place is not known; never summed.
};
/// "wall", "battery", "board", "psys", "package", "core", "uncore", "dram", "gpu", "rail", "other".
[[nodiscard]] std::string_view name_of(Level level);

/// How a meter gets at energy.
enum class MeterKind : std::uint8_t {
  Counter,  ///< The device counts energy; the meter reads the count.
  Power,    ///< The device tells its power; the meter polls it and integrates over time.
  Model,    ///< No sensor: power follows from a model.
};
/// "counter", "power", "model".
[[nodiscard]] std::string_view name_of(MeterKind kind);

/// What one meter measures and how well.
struct MeterInfo {
  /// "rapl:package-0", "rapl:package-0:core", "nvml:gpu-0". Stored with every sample, so it must
  /// never change between releases. The same counter read in another way keeps its name.
  std::string name;
  std::string source;  ///< Name in the list of sources: "rapl", "rapl-perf", "nvml" …
  std::string device;  ///< The part of the machine: "package-0", "gpu-0"; the same for all sources.
  std::string model;   ///< What the maker calls it, empty where nobody says.
  std::string method;  ///< For people: "energy_uj, wraps at 262143 J".
  Level level = Level::Other;
  MeterKind kind = MeterKind::Counter;
  Provenance provenance = Provenance::Measured;
  /// How often the source has something new. Reading it more often only costs.
  std::chrono::nanoseconds update_period{};
  /// Smallest step: joules of a counter, watts of a power sensor.
  std::optional<double> resolution;
  /// More than the part can ever draw: what tells a wrap of its counter from a reset.
  std::optional<Watts> most;
};

/// Why energy is unknown for a while.
enum class GapReason : std::uint8_t {
  None,
  Wraps,      ///< The counter may have wrapped more than once between two readings.
  Reset,      ///< The counter went back by more than a wrap explains.
  Suspended,  ///< The machine slept, and counters may have been reset meanwhile.
  Vanished,   ///< The source disappeared.
  Denied,     ///< The source could no longer be read for lack of permission.
  Failed,     ///< The source reported an error or nonsense.
  Late,       ///< Nothing new came in time: a power sensor was not polled, or a file did not grow.
};
/// "wraps", "reset", "suspended", "vanished", "denied", "failed", "late".
[[nodiscard]] std::string_view name_of(GapReason reason);
/// One sentence for people.
[[nodiscard]] std::string_view describe(GapReason reason);

/// Energy counted since the meter was opened. Subtract two readings to cost a span.
struct Reading {
  enum class Status : std::uint8_t {
    Good,
    Gap,      ///< Good from here on, but what was used since the last reading is unknown.
    Nothing,  ///< No news since the last reading; nothing else is set.
    Lost,     ///< Could not be read; `gap` says why. The sampler tries again later.
  };
  Status status = Status::Good;
  GapReason gap = GapReason::None;
  bool more = false;                ///< Further readings wait already: call read() again.
  Time at;                          ///< When the total was true, or a little later,
  std::chrono::nanoseconds took{};  ///< but no more than this: how long reading took.
  Joules total;
  /// How far the total may be off because power was known only now and then; never decreases.
  /// Zero for counters.
  Joules doubt;
};

/// One energy counter. Not thread-safe: each meter is read by one sampler thread.
class Meter {
 public:
  virtual ~Meter() = default;
  /// Never changes while the meter is open.
  [[nodiscard]] virtual const MeterInfo& info() const = 0;
  /// The total never decreases, nor does the time. Does not throw: a source that vanishes is a
  /// reading, too. Does not allocate where it is read often.
  [[nodiscard]] virtual Reading read() = 0;
  /// The machine slept: the next good reading starts anew and is marked as a gap.
  virtual void forget(GapReason why) = 0;
};

/// A source that cannot be used here.
struct Missing {
  std::string source;  ///< Name in the list of sources.
  std::string what;    ///< One sentence: what was tried and why it failed.
  std::string fix;     ///< The exact command, or what to do; empty where nothing helps.
};

/// What this machine can measure. An absent source is data, not an error.
struct Probe {
  std::vector<std::unique_ptr<Meter>> meters;
  std::vector<Missing> missing;
  /// What the user should know about the meters: duplicates that were dropped, assumptions.
  std::vector<std::string> notes;
};

}  // namespace jouletree
