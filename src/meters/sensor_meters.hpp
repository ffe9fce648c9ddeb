#pragma once

#include <functional>
#include <memory>

#include "jouletree/meter.hpp"
#include "meters/counter_total.hpp"

namespace jouletree::meters {

/// What a device says when it is asked.
template <class Value>
struct Sensed {
  Value value{};
  GapReason failure = GapReason::None;  ///< If it says nothing, why.
};
using SensedCount = Sensed<std::uint64_t>;
using SensedPower = Sensed<Watts>;

/// A meter over a device that counts energy. `sense` must neither throw nor allocate.
[[nodiscard]] std::unique_ptr<Meter> counter_meter(MeterInfo info, const CounterScale& scale,
                                                   std::function<SensedCount()> sense,
                                                   const Clock& clock);

/// A meter over a device that tells its power. `sense` must neither throw nor allocate.
[[nodiscard]] std::unique_ptr<Meter> power_meter(MeterInfo info, std::function<SensedPower()> sense,
                                                 const Clock& clock);

}  // namespace jouletree::meters
