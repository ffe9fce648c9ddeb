#include "meters/timeline.hpp"

#include <algorithm>
#include <cmath>

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::size_t kMostPoints = 32768;
constexpr std::size_t kMostGaps = 256;

nanoseconds peak_span(const MeterInfo& info) {
  return std::max<nanoseconds>(10 * info.update_period, milliseconds(100));
}

Joules interpolate(Joules a, Joules b, double part) {
  return {a.micro + std::llround(static_cast<double>((b - a).micro) * part)};
}

}  // namespace

Timeline::Timeline(const MeterInfo& info)
    : kind_(info.kind),
      update_period_(info.update_period),
      resolution_(kind_ == MeterKind::Counter
                      ? Joules{std::llround(std::ceil(info.resolution.value_or(0) * 1e6))}
                      : Joules{}),
      most_(info.most),
      peaks_(peak_span(info)) {
  points_.reserve(kMostPoints);
}

void Timeline::add(const Reading& reading) {
  if (reading.status == Reading::Status::Nothing) return;
  if (reading.status == Reading::Status::Lost) {
    lost_ = reading.gap;
    peaks_.interrupt();
    return;
  }
  Point point{reading.at, reading.at - reading.took, reading.total, reading.doubt, {}, false};
  if (!points_.empty()) {
    const Point& last = points_.back();
    point.gaps = last.gaps;
    if (reading.total > last.total) moved_ = true;
    if (reading.status == Reading::Status::Gap) {
      point.after_gap = true;
      point.gaps += point.at - last.at;
      gaps_.push_back({reading.gap, last.at, point.at});
      if (gaps_.size() > kMostGaps) gaps_.pop_front();
      peaks_.interrupt();
    }
  }
  lost_ = GapReason::None;
  if (points_.size() == kMostPoints) thin_out();
  points_.push_back(point);
  peaks_.add(reading.at, reading.total);
}

void Timeline::thin_out() {
  const std::size_t half = points_.size() / 2;
  std::size_t kept = 1;  // the first says where the history begins
  for (std::size_t i = 1; i < half; ++i) {
    // A gap lies between two points, and both have to stay.
    const bool edge_of_gap = points_[i].after_gap || points_[i + 1].after_gap;
    if (i % 2 == 0 || edge_of_gap) points_[kept++] = points_[i];
  }
  auto begin = points_.begin();
  // A source that comes and goes all the time leaves nothing to thin out; then the oldest go.
  const bool hardly_thinned = half - kept < half / 8;
  const auto first_dropped = hardly_thinned ? 0 : static_cast<std::ptrdiff_t>(kept);
  points_.erase(begin + first_dropped, begin + static_cast<std::ptrdiff_t>(half));
}

nanoseconds Timeline::patience() const {
  // Who has told nothing so far is hardly about to: one more look is enough.
  if (kind_ != MeterKind::Counter) return (points_.empty() ? 0 : 3) * update_period_;
  return std::min(20 * update_period_,
                  std::max<nanoseconds>(2 * update_period_, milliseconds(500)));
}

std::optional<TotalAt> Timeline::at(Time moment, bool final) const {
  if (points_.empty()) {
    if (final || lost()) return TotalAt{.gaps = moment.time_since_epoch()};
    return std::nullopt;
  }
  const auto next = std::upper_bound(points_.begin(), points_.end(), moment,
                                     [](Time t, const Point& p) { return t < p.at; });
  if (next == points_.begin()) return before_first(moment);
  if (next == points_.end()) {
    if (kind_ == MeterKind::Model && points_.back().at == moment) return exactly_last();
    if (!lost() && !final) return std::nullopt;
    return without_news(moment);
  }
  return between(next, moment, final);
}

TotalAt Timeline::before_first(Time moment) const {
  const Point& first = points_.front();
  return {.value = first.total,
          .low = first.total,
          .high = first.total,
          .doubt_before = first.doubt,
          .doubt_after = first.doubt,
          .gaps = first.gaps - (first.at - moment)};
}

TotalAt Timeline::exactly_last() const {
  TotalAt total = without_news(points_.back().at);
  total.high_known = true;
  return total;
}

TotalAt Timeline::without_news(Time moment) const {
  const Point& last = points_.back();
  return {.value = last.total,
          .low = last.total,
          .high = last.total,
          .high_known = false,
          .doubt_before = last.doubt,
          .doubt_after = last.doubt,
          .gaps = last.gaps + (moment - last.at)};
}

std::optional<TotalAt> Timeline::between(Points::const_iterator next, Time moment,
                                         bool final) const {
  const Point& before = *(next - 1);
  TotalAt total{.value = before.total,
                .low = before.total,
                .high = before.total,
                .doubt_before = before.doubt,
                .doubt_after = next->doubt,
                .gaps = before.gaps};
  if (next->after_gap) {
    total.gaps += moment - before.at;
    return total;
  }
  const double part = Seconds(moment - before.at) / Seconds(next->at - before.at);
  total.value = interpolate(before.total, next->total, part);
  if (kind_ != MeterKind::Counter) {
    total.low = total.high = total.value;
    // A model has no sensor that lags behind.
    if (kind_ == MeterKind::Model) return total;
    // What a sensor says may be an update period old, so a change before the moment may show later.
    auto newer = next;
    while (newer != points_.end() && newer->at < moment + update_period_) ++newer;
    if (newer == points_.end() && !lost() && !final) return std::nullopt;
    total.doubt_after = newer == points_.end() ? points_.back().doubt : newer->doubt;
    return total;
  }
  if (!bound_counter(total, next, moment, final)) return std::nullopt;
  return total;
}

// What a counter shows is true or up to an update period old, so at the moment at least the last
// value before it had been used, and at most the first value that is certainly newer: one read an
// update period later, after the counter has been seen to move.
bool Timeline::bound_counter(TotalAt& total, Points::const_iterator next, Time moment,
                             bool final) const {
  if (most_) {
    const Joules since = *most_ * Seconds(next->at - moment);
    total.low = std::max(total.low, next->total - since);
  }
  // Two readings after the moment that differ have an update between them.
  const Point& reference = (next - 1)->not_before >= moment ? *(next - 1) : *next;
  auto newer = next;
  while (newer != points_.end() && !newer->after_gap) {
    const bool old_enough = newer->not_before >= moment + update_period_;
    const bool moved = newer->total > reference.total || !moved_;
    if (old_enough && (moved || newer->not_before >= moment + patience())) {
      total.high = newer->total + resolution_;
      total.value = std::clamp(total.value, total.low, total.high);
      return true;
    }
    ++newer;
  }
  const bool ends = newer != points_.end() || lost() || final;
  total.high_known = false;
  if (ends && most_) {
    const Point& last = *(newer - 1);
    const nanoseconds unseen = std::max<nanoseconds>(moment + update_period_ - last.not_before, {});
    total.high = last.total + *most_ * Seconds(unseen) + resolution_;
    total.high_known = true;
  }
  return ends;
}

std::vector<TimelineGap> Timeline::gaps_between(Time begin, Time end) const {
  std::vector<TimelineGap> found;
  const auto add = [&](TimelineGap gap) {
    gap.begin = std::max(gap.begin, begin);
    gap.end = std::min(gap.end, end);
    if (gap.begin < gap.end) found.push_back(gap);
  };
  const GapReason silent = lost() ? lost_ : GapReason::Late;
  if (points_.empty()) {
    add({silent, begin, end});
    return found;
  }
  add({GapReason::Late, begin, points_.front().at});
  for (const TimelineGap& gap : gaps_) add(gap);
  add({silent, points_.back().at, end});
  return found;
}

std::optional<Time> Timeline::first_at() const {
  if (points_.empty()) return std::nullopt;
  return points_.front().at;
}

std::optional<Time> Timeline::last_at() const {
  if (points_.empty()) return std::nullopt;
  return points_.back().at;
}

nanoseconds Timeline::gap_time() const {
  return points_.empty() ? nanoseconds{} : points_.back().gaps;
}

}  // namespace jouletree::meters
