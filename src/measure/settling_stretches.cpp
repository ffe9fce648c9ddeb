#include "measure/settling_stretches.hpp"

#include <algorithm>
#include <utility>

namespace jouletree::measure {

SettlingStretches::SettlingStretches(const std::vector<MeterInfo>& meters, EnergyBetween between,
                                     Told told)
    : between_(std::move(between)), told_(std::move(told)) {
  std::chrono::nanoseconds slowest{};
  for (const MeterInfo& meter : meters) slowest = std::max(slowest, meter.update_period);
  settling_ += 3 * slowest;
}

void SettlingStretches::close(Time begin, Time end, WallTime at, UsageSample usage) {
  open_.push_back({begin, end, at, std::move(usage)});
}

void SettlingStretches::tell_settled(Time now) {
  while (!open_.empty() && open_.front().end + settling_ <= now) tell_first();
}

void SettlingStretches::tell_all() {
  while (!open_.empty()) tell_first();
}

void SettlingStretches::tell_first() {
  Stretch& first = open_.front();
  told_({first.at, between_(first.begin, first.end), std::move(first.usage)});
  open_.pop_front();
}

}  // namespace jouletree::measure
