#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "jouletree/clock.hpp"
#include "jouletree/units.hpp"

namespace jouletree::meters {

/// Mean power over consecutive spans, to find the highest of them in any stretch of time. Bounded:
/// old spans are joined in pairs that remember the higher value.
class PeakHistory {
 public:
  /// Energy is gathered for `span` before it makes a value: over shorter spans the steps of a
  /// counter look like peaks.
  explicit PeakHistory(std::chrono::nanoseconds span) : span_(span) {}

  void add(Time at, Joules total);
  /// Energy was unknown; begin anew.
  void interrupt() { begun_ = false; }
  [[nodiscard]] std::optional<Watts> highest_between(Time begin, Time end) const;
  [[nodiscard]] std::optional<Watts> last() const { return last_; }
  [[nodiscard]] std::chrono::nanoseconds span() const { return span_; }
  /// Up to where spans are complete; nothing before the first energy and after an interruption.
  [[nodiscard]] std::optional<Time> complete_to() const {
    return begun_ ? std::optional(begin_) : std::nullopt;
  }

 private:
  struct Entry {
    Time begin;
    Time end;
    Watts power;
  };
  void join_old_pairs();

  std::chrono::nanoseconds span_;
  bool begun_ = false;
  Time begin_;
  Joules begin_total_;
  std::optional<Watts> last_;
  std::vector<Entry> entries_;
};

}  // namespace jouletree::meters
