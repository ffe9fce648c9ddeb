#include "measure/cache_copies.hpp"

#include <algorithm>

namespace jouletree {
namespace {

constexpr double kLongRunS = 4e-4;
constexpr int kMostHot = 64;
constexpr int kMostApart = 64;
constexpr int kMostCold = 512;
/// A run that lasts longer makes windows too long to plan with.
constexpr double kLongestRunS = 0.06;
/// Weights below this are in the cache whatever one does.
constexpr std::int64_t kSmallWeight = 4096;
/// An input below this is still in the caches of the core that wrote it just before.
constexpr std::int64_t kSmallInput = std::int64_t{1} << 17U;
/// Files of models end at 2 GiB.
constexpr std::int64_t kMostBytes = std::int64_t{3} << 29U;
constexpr std::int64_t kUsualLastCache = std::int64_t{32} << 20U;

int copies_over(std::int64_t span, std::int64_t each, int most) {
  const std::int64_t wanted = (span + each - 1) / each;
  const std::int64_t possible = std::max<std::int64_t>(1, kMostBytes / each);
  return static_cast<int>(std::min({wanted, possible, std::int64_t{most}}));
}

}  // namespace

onnx::Copies copies_for(CacheMode mode, const CopyNeeds& needs) {
  const double seconds = std::max(needs.seconds, 1e-7);
  const int for_length = std::clamp(static_cast<int>(kLongRunS / seconds), 1, kMostHot);
  if (mode == CacheMode::Hot) return {for_length};
  if (mode == CacheMode::Cold) {
    const std::int64_t each = std::max(needs.weight_bytes + needs.input_bytes, kSmallWeight);
    const std::int64_t cache = needs.last_cache_bytes.value_or(kUsualLastCache);
    const int sets = copies_over(2 * cache, each, kMostCold);
    return {std::max(for_length, sets), sets, sets, std::nullopt};
  }
  const int longest = std::max(2, static_cast<int>(kLongestRunS / seconds));
  const int sets =
      needs.weight_bytes < kSmallWeight
          ? 1
          : std::min(copies_over(needs.model_bytes, needs.weight_bytes, kMostApart), longest);
  // Memory that an operator writes to was last used by another one, and all weights passed through
  // the caches since.
  const std::int64_t passed = needs.model_bytes + needs.peak_bytes;
  const int writes = std::min(
      copies_over(passed, std::max(needs.output_bytes, kSmallWeight), kMostApart), longest);
  const int reads = needs.input_bytes < kSmallInput
                        ? 1
                        : std::min(copies_over(passed, needs.input_bytes, kMostApart), longest);
  return {std::max({for_length, sets, writes, reads}), sets, reads, passed};
}

}  // namespace jouletree
