#include "measure/memory_layout.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace jouletree::measure {

MemoryLayout::Place MemoryLayout::take(std::int64_t bytes) {
  bytes = std::max<std::int64_t>(bytes, 1);
  std::optional<std::int64_t> best;
  std::int64_t least_waste = 0;
  std::int64_t free_from = 0;
  const auto try_gap = [&](std::int64_t gap_end) {
    const std::int64_t waste = gap_end - free_from - bytes;
    if (waste < 0 || (best && waste >= least_waste)) return;
    best = free_from;
    least_waste = waste;
  };
  for (const auto& [begin, end] : taken_) {
    try_gap(begin);
    free_from = end;
  }
  try_gap(bytes_);
  const std::int64_t begin = best.value_or(free_from);
  taken_.emplace(begin, begin + bytes);
  bytes_ = std::max(bytes_, begin + bytes);
  return {begin, begin + bytes};
}

void MemoryUse::split_at(std::int64_t address) {
  auto next = used_.upper_bound(address);
  if (next == used_.begin()) return;
  auto& [begin, used] = *std::prev(next);
  if (begin == address || used.end <= address) return;
  used_.emplace_hint(next, address, Used{used.end, used.time});
  used.end = address;
}

void MemoryUse::touch(const MemoryLayout::Place& place, std::int64_t time) {
  split_at(place.begin);
  split_at(place.end);
  used_.erase(used_.lower_bound(place.begin), used_.lower_bound(place.end));
  used_.emplace(place.begin, Used{place.end, time});
}

std::int64_t MemoryUse::last_use(const MemoryLayout::Place& place, std::int64_t never) const {
  std::map<std::int64_t, std::int64_t> bytes_by_time;
  std::int64_t known = 0;
  auto piece = used_.upper_bound(place.begin);
  if (piece != used_.begin()) --piece;
  for (; piece != used_.end() && piece->first < place.end; ++piece) {
    const std::int64_t bytes =
        std::min(piece->second.end, place.end) - std::max(piece->first, place.begin);
    if (bytes <= 0) continue;
    bytes_by_time[piece->second.time] += bytes;
    known += bytes;
  }
  bytes_by_time[never] += place.end - place.begin - known;
  std::int64_t passed = 0;
  for (const auto& [time, bytes] : bytes_by_time) {
    passed += bytes;
    if (2 * passed >= place.end - place.begin) return time;
  }
  return never;
}

}  // namespace jouletree::measure
