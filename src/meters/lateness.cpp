#include "meters/lateness.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace jouletree::meters {

using std::chrono::nanoseconds;

// Powers of two, each cut into 16 equal parts; values below 16 have a bucket each.
int Lateness::bucket_of(std::uint64_t value) {
  constexpr std::uint64_t kParts = 1U << kSubBits;
  if (value < kParts) return static_cast<int>(value);
  const int shift = static_cast<int>(std::bit_width(value)) - 1 - kSubBits;
  const auto part = static_cast<int>((value >> shift) - kParts);
  return ((shift + 1) << kSubBits) + part;
}

std::uint64_t Lateness::top_of(int bucket) {
  constexpr std::uint64_t kParts = 1U << kSubBits;
  if (static_cast<std::uint64_t>(bucket) < kParts) return static_cast<std::uint64_t>(bucket);
  const int shift = (bucket >> kSubBits) - 1;
  const auto part = static_cast<std::uint64_t>(bucket) % kParts + kParts;
  return ((part + 1) << shift) - 1;
}

void Lateness::add(nanoseconds late) {
  const std::int64_t late_ns = std::max<std::int64_t>(late.count(), 0);
  const int bucket = bucket_of(static_cast<std::uint64_t>(late_ns));
  counts_[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
  if (late_ns > worst_ns_.load(std::memory_order_relaxed))
    worst_ns_.store(late_ns, std::memory_order_relaxed);
}

nanoseconds Lateness::quantile(double share) const {
  std::uint64_t all = 0;
  for (const auto& count : counts_) all += count.load(std::memory_order_relaxed);
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(all)));
  std::uint64_t seen = 0;
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    seen += counts_[static_cast<std::size_t>(bucket)].load(std::memory_order_relaxed);
    if (seen >= wanted && seen > 0)
      return std::min(nanoseconds(static_cast<std::int64_t>(top_of(bucket))), worst());
  }
  return worst();
}

nanoseconds Lateness::worst() const {
  return nanoseconds(worst_ns_.load(std::memory_order_relaxed));
}

}  // namespace jouletree::meters
