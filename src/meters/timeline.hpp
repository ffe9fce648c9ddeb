#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "jouletree/meter.hpp"
#include "meters/peak_history.hpp"

namespace jouletree::meters {

/// What is known about a meter's total at one moment.
struct TotalAt {
  Joules value{};
  Joules low{};
  Joules high{};
  bool high_known = true;
  Joules doubt_before{};            ///< Reading::doubt of the last sample before,
  Joules doubt_after{};             ///< and of the first one after.
  std::chrono::nanoseconds gaps{};  ///< Time without knowledge up to the moment.
};

/// A stretch without knowledge.
struct TimelineGap {
  GapReason reason = GapReason::None;
  Time begin;
  Time end;
};

/// The totals of one meter by time. Bounded: where they are old, totals are thinned out, which
/// loses no energy but widens the bounds of moments in between.
class Timeline {
 public:
  explicit Timeline(const MeterInfo& info);

  void add(const Reading& reading);

  /// Nothing as long as samples after the moment are needed to tell. With `final` these are not
  /// awaited: time without samples then counts as a gap.
  [[nodiscard]] std::optional<TotalAt> at(Time moment, bool final) const;
  /// When at() need not wait any longer for news about a moment.
  [[nodiscard]] std::chrono::nanoseconds patience() const;
  [[nodiscard]] std::vector<TimelineGap> gaps_between(Time begin, Time end) const;

  [[nodiscard]] const PeakHistory& peaks() const { return peaks_; }
  [[nodiscard]] Joules total() const { return points_.empty() ? Joules{} : points_.back().total; }
  [[nodiscard]] std::optional<Time> first_at() const;
  [[nodiscard]] std::optional<Time> last_at() const;
  [[nodiscard]] std::chrono::nanoseconds gap_time() const;
  [[nodiscard]] bool lost() const { return lost_ != GapReason::None; }
  /// Samples held, which is what memory depends on.
  [[nodiscard]] std::size_t size() const { return points_.size(); }

 private:
  struct Point {
    Time at;
    Time not_before;  ///< When reading it began.
    Joules total;
    Joules doubt;
    std::chrono::nanoseconds gaps{};  ///< Sum up to here.
    bool after_gap = false;           ///< What happened since the point before is unknown.
  };
  using Points = std::vector<Point>;

  [[nodiscard]] TotalAt before_first(Time moment) const;
  [[nodiscard]] TotalAt exactly_last() const;
  [[nodiscard]] TotalAt without_news(Time moment) const;
  [[nodiscard]] std::optional<TotalAt> between(Points::const_iterator next, Time moment,
                                               bool final) const;
  [[nodiscard]] bool bound_counter(TotalAt& total, Points::const_iterator next, Time moment,
                                   bool final) const;
  void thin_out();

  MeterKind kind_;
  std::chrono::nanoseconds update_period_;
  Joules resolution_;
  std::optional<Watts> most_;
  Points points_;
  std::deque<TimelineGap> gaps_;
  GapReason lost_ = GapReason::None;
  bool moved_ = false;  ///< The total has grown since the meter was opened.
  PeakHistory peaks_;
};

}  // namespace jouletree::meters
