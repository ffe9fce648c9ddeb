#include "meters/alarm.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace jouletree::meters {
namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

}  // namespace

void Alarm::wait_until(Time deadline) {
  const std::uint32_t rings = rings_.load(std::memory_order_acquire);
  if (rings != heard_) {
    heard_ = rings;
    return;
  }
  const auto since_epoch = deadline.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_epoch);
  timespec until{};
  until.tv_sec = seconds.count();
  until.tv_nsec = std::chrono::nanoseconds(since_epoch - seconds).count();
  // Without FUTEX_CLOCK_REALTIME the time is an absolute one of CLOCK_MONOTONIC.
  ::syscall(SYS_futex, &rings_, FUTEX_WAIT_BITSET_PRIVATE, rings, &until, nullptr,
            FUTEX_BITSET_MATCH_ANY);
  heard_ = rings_.load(std::memory_order_acquire);
}

void Alarm::ring() {
  rings_.fetch_add(1, std::memory_order_release);
  ::syscall(SYS_futex, &rings_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace jouletree::meters
