#include "support/scripted_machine.hpp"

namespace jouletree::test {
namespace {

Time::duration ticks(Seconds time) { return std::chrono::round<Time::duration>(time); }

}  // namespace

void ScriptedMachine::disturb(Seconds from, Seconds to, double factor) {
  disturbances_.push_back({SimClock::begin() + ticks(from), SimClock::begin() + ticks(to), factor});
}

double ScriptedMachine::factor_at(Time time) const {
  double factor = 1;
  for (const Disturbance& one : disturbances_)
    if (one.begin <= time && time < one.end) factor *= one.factor;
  return factor;
}

Time ScriptedMachine::next_change(Time after) const {
  Time next = Time::max();
  for (const Disturbance& one : disturbances_) {
    for (const Time change : {one.begin, one.end})
      if (change > after) next = std::min(next, change);
  }
  return next;
}

Time ScriptedMachine::use(Time begin, Seconds time, double watts) {
  while (time.count() > 0) {
    const double factor = factor_at(begin);
    const Time done = begin + std::max(ticks(time * factor), Time::duration(1));
    const Time end = std::min(done, next_change(begin));
    used_.push_back({begin, end, watts});
    if (end == done) return done;
    time -= Seconds(end - begin) / factor;
    begin = end;
  }
  return begin;
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
  result.total.rule = "the scripted machine";
  result.total.gross = EnergyRange{Joules::from(counted), Joules::from(low), Joules::from(high)};
  const Seconds span = end - begin;
  if (knows_idle_) {
    const double idle = span.count() * ScriptedMachine::kIdleWatts;
    result.total.above_idle = EnergyRange{Joules::from(counted - idle), Joules::from(low - idle),
                                          Joules::from(high - idle)};
  }
  DomainEnergy domain;
  domain.name = "scripted:counter";
  domain.gross = result.total.gross;
  domain.above_idle = result.total.above_idle;
  result.domains = {domain};
  if (span.count() > 0) result.total.average = Watts{counted / span.count()};
  return result;
}

Baseline ScriptedEnergy::measure_baseline(std::chrono::nanoseconds time) {
  machine_.wait(time);
  knows_idle_ = true;
  return {time, {{"scripted:counter", Watts{ScriptedMachine::kIdleWatts}, {}, {}}}};
}

}  // namespace jouletree::test
