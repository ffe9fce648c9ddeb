#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace jouletree::runtime {

/// When a window of runs began and ended, in nanoseconds of the device's clock.
struct TimedWindow {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

// A device has run(), which may return before the work is done, synchronise(), which returns when
// all of it is, and now_ns().

/// Nothing of what was started before is in the window, and everything that is started in it.
template <class Device>
[[nodiscard]] TimedWindow timed_window(Device& device, std::int64_t runs) {
  device.synchronise();
  TimedWindow window;
  window.begin_ns = device.now_ns();
  for (std::int64_t i = 0; i < runs; ++i) device.run();
  device.synchronise();
  window.end_ns = device.now_ns();
  return window;
}

/// How long each run takes until its work is done.
template <class Device>
[[nodiscard]] std::vector<std::int64_t> timed_each(Device& device, std::int64_t runs) {
  std::vector<std::int64_t> each;
  each.reserve(static_cast<std::size_t>(runs));
  device.synchronise();
  std::int64_t before = device.now_ns();
  for (std::int64_t i = 0; i < runs; ++i) {
    device.run();
    device.synchronise();
    const std::int64_t after = device.now_ns();
    each.push_back(after - before);
    before = after;
  }
  return each;
}

/// Runs a few times, so that memory is allocated and caches are filled, until `long_enough_ns` have
/// passed. Returns the shortest run but the first.
template <class Device>
[[nodiscard]] std::int64_t warmed_up_run(Device& device, std::int64_t long_enough_ns) {
  constexpr int kMostRuns = 20;
  constexpr int kLeastRuns = 3;
  std::int64_t shortest = INT64_MAX;
  std::int64_t passed = 0;
  for (int i = 0; i < kMostRuns; ++i) {
    const std::int64_t run = timed_each(device, 1)[0];
    passed += run;
    if (i > 0) shortest = std::min(shortest, run);
    if (i + 1 >= kLeastRuns && passed > long_enough_ns) break;
  }
  return shortest;
}

}  // namespace jouletree::runtime
