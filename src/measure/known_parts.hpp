#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// What makes two measurements of a part comparable, beside machine and engine: all of it is equal.
struct PartIdentity {
  /// Part::key of an operator; of a module those of its operators in order, each with a line feed.
  std::string key;
  bool is_module = false;
  std::string conditions;  ///< How it finds its memory, in one line: conditions_of().

  bool operator==(const PartIdentity&) const = default;
};

/// What a profile asks of a measurement that it would reuse.
struct WantedPart {
  double precision = 0.02;  ///< Half-width of the interval of the median, as a share.
  /// Meters whose sum is the energy (TotalEnergy::summed); empty: there is none here.
  std::vector<std::string> summed{};
  bool above_idle = false;                 ///< Energy above idle power, too.
  std::chrono::duration<double> least{0};  ///< Time from its first window to its last.
};

/// Whether a measurement need not be made again: its interval (`trials.time`) is at most as wide as
/// asked, whatever it was asked for itself, its energy is that of the same meters, and they had
/// enough time.
[[nodiscard]] bool is_good_enough(const Measured& measured, const WantedPart& wanted);

/// A part that was measured in full and may serve other profiles, as precisely as asked or not. All
/// references are valid during the call only.
struct PartToKeep {
  const PartIdentity& identity;
  const Measured& measured;
  const TreeNode& node;  ///< The first operator or module of its kind: type, scope, counts.
};

/// Operators and modules that were measured before. Asked by one thread.
class KnownParts {
 public:
  KnownParts() = default;
  KnownParts(const KnownParts&) = delete;
  KnownParts& operator=(const KnownParts&) = delete;
  virtual ~KnownParts() = default;

  /// Comes first, once for each profile: everything is asked and kept for this machine, engine and
  /// settings, and kept with this date. The tree is that of the operators; it lives until the
  /// profile is complete.
  virtual void begin(const Environment& environment, const ModelTree& tree) = 0;
  /// A measurement of the same identity on the same machine in the same engine, with `reused` set,
  /// that is_good_enough(); of several the best. Needed of its trials: `seconds`, `runs`, and how
  /// far `begin` and `end` are apart; the rest follows. Throws Error, which ends the profile.
  [[nodiscard]] virtual std::optional<Measured> find(const PartIdentity& identity,
                                                     const WantedPart& wanted) = 0;
  /// Of the operators that find() was asked for since begin(): how many are known, but by no
  /// measurement that is good enough.
  [[nodiscard]] virtual std::size_t insufficient_operators() const { return 0; }
  /// Called once after all operators, and once after all modules. An Error becomes a note of the
  /// profile.
  virtual void keep(std::span<const PartToKeep> parts) = 0;
};

}  // namespace jouletree::measure
