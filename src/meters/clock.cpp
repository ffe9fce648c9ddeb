#include "jouletree/clock.hpp"

#include <ctime>

namespace jouletree {
namespace {

std::chrono::nanoseconds read_clock(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

class MachineClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override { return std::chrono::steady_clock::now(); }

  [[nodiscard]] std::chrono::nanoseconds suspended() const override {
    // The two clocks cannot be read at once. A thread that loses its CPU in between would see the
    // machine sleep, so only a pair that was read quickly counts.
    constexpr auto kQuick = std::chrono::microseconds(50);
    constexpr int kTries = 8;
    std::chrono::nanoseconds least = std::chrono::nanoseconds::max();
    for (int i = 0; i < kTries; ++i) {
      const auto before = read_clock(CLOCK_MONOTONIC);
      const auto with_sleep = read_clock(CLOCK_BOOTTIME);
      const auto took = read_clock(CLOCK_MONOTONIC) - before;
      least = std::min(least, with_sleep - before);
      if (took < kQuick) return with_sleep - before;
    }
    return least;
  }

  [[nodiscard]] WallTime wall() const override { return std::chrono::system_clock::now(); }
};

}  // namespace

const Clock& machine_clock() {
  static const MachineClock clock;
  return clock;
}

}  // namespace jouletree
