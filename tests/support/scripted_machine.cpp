#include "support/scripted_machine.hpp"

#include <algorithm>

namespace jouletree::test {
namespace {

Time::duration ticks(Seconds time) { return std::chrono::round<Time::duration>(time); }

}  // namespace

void ScriptedMachine::disturb(Seconds from, Seconds to, double factor) {
  disturbances_.push_back({SimClock::begin() + ticks(from), SimClock::begin() + ticks(to), factor});
}

double ScriptedMachine::factor_now() const {
  double factor = 1;
  for (const Disturbance& one : disturbances_)
    if (one.begin <= now() && now() < one.end) factor *= one.factor;
  return factor;
}

Time ScriptedMachine::next_change() const {
  Time next = Time::max();
  for (const Disturbance& one : disturbances_)
    for (const Time change : {one.begin, one.end})
      if (change > now()) next = std::min(next, change);
  return next;
}

void ScriptedMachine::work(Seconds time, double watts) {
  while (time.count() > 0) {
    const Time begin = now();
    const double factor = factor_now();
    const Time done = begin + std::max(ticks(time * factor), Time::duration(1));
    const Time end = std::min(done, next_change());
    clock_.advance_to(end);
    used_.push_back({begin, end, watts});
    if (end == done) return;
    time -= Seconds(end - begin) / factor;
  }
}

double ScriptedMachine::joules(Time begin, Time end) const {
  double joules = 0;
  for (const Stretch& stretch : used_) {
    const Seconds shared = std::min(end, stretch.end) - std::max(begin, stretch.begin);
    joules += std::max(shared.count(), 0.0) * stretch.watts;
  }
  return joules;
}

Time ScriptedEnergy::last_step(Time time) const {
  const auto passed = time - SimClock::begin();
  return SimClock::begin() + passed / period_ * period_;
}

std::vector<MeterInfo> ScriptedEnergy::meters() const {
  MeterInfo meter;
  meter.name = "scripted:counter";
  meter.update_period = period_;
  return {meter};
}

WindowResult ScriptedEnergy::between(Time begin, Time end) {
  // The counter tells about the end when it moves for the next time.
  const Seconds missing = last_step(end) + period_ - machine_.now();
  if (missing.count() > 0) machine_.wait(missing);
  const double counted = machine_.joules(last_step(begin), last_step(end));
  const double low = machine_.joules(last_step(begin) + period_, last_step(end));
  const double high = machine_.joules(last_step(begin), last_step(end) + period_);
  WindowResult result;
  result.begin = begin;
  result.end = end;
  result.total.summed = {"scripted:counter"};
  result.total.gross = EnergyRange{Joules::from(counted), Joules::from(low), Joules::from(high)};
  const Seconds span = end - begin;
  if (span.count() > 0) result.total.average = Watts{counted / span.count()};
  return result;
}

Baseline ScriptedEnergy::measure_baseline(std::chrono::nanoseconds time) {
  machine_.wait(time);
  return {time, {{"scripted:counter", Watts{ScriptedMachine::kIdleWatts}, {}, {}}}};
}

}  // namespace jouletree::test
