#include "measure/energy_source.hpp"

namespace jouletree::measure {

std::vector<MeterInfo> SessionEnergy::meters() const { return session_.meters(); }

WindowResult SessionEnergy::between(Time begin, Time end) { return session_.between(begin, end); }

Baseline SessionEnergy::measure_baseline(std::chrono::nanoseconds time) {
  return session_.measure_baseline(time);
}

std::optional<double> SessionEnergy::own_share() const {
  const SamplerCost cost = session_.cost();
  if (cost.elapsed.count() <= 0) return std::nullopt;
  return static_cast<double>(cost.cpu_time.count()) / static_cast<double>(cost.elapsed.count());
}

}  // namespace jouletree::measure
