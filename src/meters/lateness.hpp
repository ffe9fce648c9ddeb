#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace jouletree::meters {

/// How late the ticks of a sampler were: a histogram with about 6 % of resolution. One thread adds,
/// any may ask.
class Lateness {
 public:
  void add(std::chrono::nanoseconds late);
  /// The value that `share` of all ticks do not exceed.
  [[nodiscard]] std::chrono::nanoseconds quantile(double share) const;
  [[nodiscard]] std::chrono::nanoseconds worst() const;

 private:
  static constexpr int kSubBits = 4;
  static constexpr int kBuckets = 64 << kSubBits;
  static int bucket_of(std::uint64_t value);
  static std::uint64_t top_of(int bucket);

  std::array<std::atomic<std::uint64_t>, kBuckets> counts_{};
  std::atomic<std::int64_t> worst_ns_ = 0;
};

}  // namespace jouletree::meters
