#include "measure/energy_source.hpp"

#include <algorithm>
#include <thread>

namespace jouletree::measure {
namespace {

/// Nobody who asks to stop waits longer.
constexpr std::chrono::milliseconds kBetweenChecks(50);

}  // namespace

std::vector<MeterInfo> SessionEnergy::meters() const { return session_.meters(); }

WindowResult SessionEnergy::between(Time begin, Time end) { return session_.between(begin, end); }

Baseline SessionEnergy::measure_baseline(std::chrono::nanoseconds time) {
  using Clock = std::chrono::steady_clock;
  const WindowId window = session_.begin("baseline");
  const Clock::time_point end = Clock::now() + time;
  for (Clock::time_point now = Clock::now(); now < end; now = Clock::now()) {
    if (check_) check_();
    std::this_thread::sleep_for(std::min<Clock::duration>(end - now, kBetweenChecks));
  }
  Baseline baseline = baseline_of(session_.finish(window));
  session_.set_baseline(baseline);
  return baseline;
}

std::optional<double> SessionEnergy::own_share() const {
  const SamplerCost cost = session_.cost();
  if (cost.elapsed.count() <= 0) return std::nullopt;
  return static_cast<double>(cost.cpu_time.count()) / static_cast<double>(cost.elapsed.count());
}

}  // namespace jouletree::measure
