#include "measure/gentle_sampling.hpp"

#include <algorithm>

namespace jouletree::measure {

SessionOptions gentle_sampling(const Probe& probe) {
  SessionOptions options;
  const bool modelled =
      std::all_of(probe.meters.begin(), probe.meters.end(),
                  [](const auto& meter) { return meter->info().kind == MeterKind::Model; });
  if (modelled) options.interval = std::chrono::milliseconds(50);
  return options;
}

}  // namespace jouletree::measure
