#pragma once

#include <cstdint>
#include <optional>

namespace jouletree::measure {

/// Below this, memory is in the nearest cache whatever one does.
inline constexpr std::int64_t kSmallBytes = 4096;
/// Caches forget gradually: what was used several times their size ago is surely not there.
inline constexpr std::int64_t kSurelyOut = 4;

/// How far back, in bytes that passed since, a cache still holds what was used.
struct CacheLimits {
  std::int64_t core = 0;  ///< Size of the caches that belong to one core.
  std::int64_t last = 0;  ///< Size of the last one.

  /// Usual sizes where the machine does not tell.
  static CacheLimits of(const std::optional<std::int64_t>& core_cache_bytes,
                        const std::optional<std::int64_t>& last_cache_bytes) {
    constexpr std::int64_t kUsualCore = std::int64_t{1} << 20U;
    constexpr std::int64_t kUsualLast = std::int64_t{32} << 20U;
    return {core_cache_bytes.value_or(kUsualCore), last_cache_bytes.value_or(kUsualLast)};
  }

  /// Mostly still in a cache of this size.
  [[nodiscard]] static bool holds(std::int64_t cache, std::int64_t distance) {
    return distance < cache * 9 / 10;
  }
  [[nodiscard]] bool is_near(std::int64_t distance) const { return holds(core, distance); }
  [[nodiscard]] std::int64_t surely_out_of_core() const { return kSurelyOut * core; }
  [[nodiscard]] std::int64_t surely_out_of_all() const { return kSurelyOut * last; }
};

}  // namespace jouletree::measure
