#include "meters/sampler.hpp"

#include <algorithm>
#include <utility>

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

nanoseconds rounded_up(nanoseconds period, nanoseconds interval) {
  const auto times = std::max<nanoseconds::rep>((period + interval - nanoseconds(1)) / interval, 1);
  return times * interval;
}

/// A source that is gone is asked less and less often, and once a second in the end.
nanoseconds retry_after(nanoseconds period, int failures) {
  const nanoseconds longest = std::max<nanoseconds>(period, std::chrono::seconds(1));
  const int doublings = std::min(failures, 10);
  return std::min(longest, std::max<nanoseconds>(period, milliseconds(10)) * (1 << doublings));
}

}  // namespace

Sampler::Sampler(std::span<const std::unique_ptr<Meter>> meters, nanoseconds interval,
                 const Clock& clock, SampleRing& ring, std::function<void()> make_room)
    : meters_(meters),
      interval_(interval),
      clock_(clock),
      ring_(ring),
      make_room_(std::move(make_room)),
      deadline_(clock.now()),
      suspended_(clock.suspended()) {
  for (const auto& meter : meters_) {
    Plan plan;
    plan.update_period = meter->info().update_period;
    plan.period = rounded_up(plan.update_period, interval);
    plan.at_edges = meter->info().kind == MeterKind::Model;
    plan.due = deadline_;
    plan.last = deadline_ - plan.update_period;
    plans_.push_back(plan);
  }
}

void Sampler::mark_edge() { edge_.store(true, std::memory_order_release); }

Time Sampler::tick() {
  const Time now = clock_.now();
  ticks_.fetch_add(1, std::memory_order_relaxed);
  // A tick that an edge asked for comes before its deadline and says nothing about lateness.
  if (now >= deadline_) lateness_.add(now - deadline_);
  notice_suspend(now);
  take_edge(now);
  deadline_ = Time::max();
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].due <= now || plans_[i].settle <= now) read(i, now);
    deadline_ = std::min({deadline_, plans_[i].due, plans_[i].settle});
  }
  if (ring_.half_full()) make_room_();
  return deadline_;
}

void Sampler::notice_suspend(Time now) {
  // Nothing shorter is a sleep; it is the two clocks being read one after the other.
  constexpr auto kShortestSleep = milliseconds(5);
  const nanoseconds suspended = clock_.suspended();
  if (suspended - suspended_ > kShortestSleep) {
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      meters_[i]->forget(GapReason::Suspended);
      plans_[i].due = std::min(plans_[i].due, now);
    }
  }
  suspended_ = suspended;
}

void Sampler::take_edge(Time now) {
  if (!edge_.exchange(false, std::memory_order_acquire)) return;
  for (Plan& plan : plans_) {
    if (plan.failures > 0) continue;
    // A reading after the edge, and a second one to see the counter move after it.
    plan.settlings = 2;
    plan.settle = plan.at_edges ? now : std::max(now, plan.last + plan.update_period);
  }
}

void Sampler::read(std::size_t meter, Time now) {
  Plan& plan = plans_[meter];
  Reading reading;
  do {
    reading = meters_[meter]->read();
    hand_over(meter, reading);
  } while (reading.more);
  readings_.fetch_add(1, std::memory_order_relaxed);
  plan_next(plan, now, reading.status == Reading::Status::Lost);
}

void Sampler::plan_next(Plan& plan, Time now, bool lost) {
  const bool extra = plan.due > now;
  plan.last = now;
  if (plan.settle <= now) {
    // A little more than an update period, because no device keeps its own exactly.
    plan.settle = --plan.settlings > 0 ? now + plan.update_period * 5 / 4 : Time::max();
  }
  if (plan.due <= now) {
    const auto missed = (now - plan.due) / plan.period;
    overruns_.fetch_add(static_cast<std::uint64_t>(missed), std::memory_order_relaxed);
    plan.due += (missed + 1) * plan.period;
  }
  plan.failures = lost ? plan.failures + 1 : 0;
  if (lost) {
    plan.due =
        std::max(plan.due, now + rounded_up(retry_after(plan.period, plan.failures), plan.period));
    plan.settle = Time::max();
  }
  // After an extra reading, the next one on the grid must not follow too soon.
  if (extra && plan.due < now + plan.update_period) plan.due += plan.period;
}

void Sampler::hand_over(std::size_t meter, Reading reading) {
  Plan& plan = plans_[meter];
  if (reading.status == Reading::Status::Nothing) return;
  // Totals are sums, so a sample that finds no room costs no energy, but a gap must be told.
  if (plan.dropped != GapReason::None && reading.status == Reading::Status::Good) {
    reading.status = Reading::Status::Gap;
    reading.gap = plan.dropped;
  }
  if (ring_.put({static_cast<std::uint32_t>(meter), reading})) {
    if (reading.status != Reading::Status::Lost) plan.dropped = GapReason::None;
    return;
  }
  if (reading.status != Reading::Status::Good) plan.dropped = reading.gap;
}

}  // namespace jouletree::meters
