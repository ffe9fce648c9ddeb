#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "jouletree/probe.hpp"

namespace jouletree::meters {

/// The calls of the kernel behind perf events; a test puts its own in their place.
struct PerfCalls {
  /// Opens an event of a whole CPU. A descriptor, or minus the errno.
  std::function<int(perf_event_attr& event, int cpu)> open;
  /// The count, or nothing with errno set.
  std::function<std::optional<std::uint64_t>(int descriptor)> read;
  std::function<void(int descriptor)> close;
  /// Lets a millisecond pass.
  std::function<void()> pause;
};
[[nodiscard]] PerfCalls kernel_perf_calls();

[[nodiscard]] Probe open_rapl_perf(const ProbeOptions& options, const PerfCalls& calls);

}  // namespace jouletree::meters
