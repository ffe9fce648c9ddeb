#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "jouletree/meter.hpp"

namespace jouletree::meters {

struct Sample {
  std::uint32_t meter = 0;
  Reading reading;
};

/// Hands samples from the sampler thread to whoever records them, without locks: one thread puts,
/// one at a time takes.
class SampleRing {
 public:
  static constexpr std::uint32_t kSize = 8192;  // a power of two, so that numbers may wrap

  /// False if there is no room.
  bool put(const Sample& sample) {
    const std::uint32_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == kSize) return false;
    samples_[head % kSize] = sample;
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  /// False if there is nothing.
  bool take(Sample& sample) {
    const std::uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (head_.load(std::memory_order_acquire) == tail) return false;
    sample = samples_[tail % kSize];
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  [[nodiscard]] bool half_full() const {
    return head_.load(std::memory_order_relaxed) - tail_.load(std::memory_order_relaxed) >=
           kSize / 2;
  }

 private:
  // On lines of their own, so that the two threads do not take the cache line from each other.
  alignas(64) std::atomic<std::uint32_t> head_ = 0;
  alignas(64) std::atomic<std::uint32_t> tail_ = 0;
  alignas(64) std::array<Sample, kSize> samples_{};
};

}  // namespace jouletree::meters
