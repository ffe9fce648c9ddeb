#include "measure/part_conditions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "measure/cache_limits.hpp"

namespace jouletree::measure {
namespace {

/// Which caches answer, as far as copies_for() lets it matter.
class Places {
 public:
  explicit Places(const CopyNeeds& needs)
      : caches_(CacheLimits::of(needs.core_cache_bytes, needs.last_cache_bytes)),
        // In a loop of its own, a part passes its own bytes from one use to the next, however near
        // the memory is in the model.
        least_(runs_in_context(needs) ? 0 : bytes_of_a_call(needs)) {}

  [[nodiscard]] const char* of(const CopyNeeds::Memory& memory) const {
    if (memory.bytes < kSmallBytes) return "core";
    const std::int64_t distance = distance_in_loop(memory.reused_after);
    if (caches_.is_near(distance)) return "core";
    if (distance < caches_.surely_out_of_core()) return "core-partly";
    if (CacheLimits::holds(caches_.last, distance)) return "shared";
    return distance < caches_.surely_out_of_all() ? "shared-partly" : "memory";
  }

 private:
  [[nodiscard]] std::int64_t distance_in_loop(std::int64_t in_model) const {
    const std::int64_t wanted =
        caches_.is_near(in_model) ? in_model : std::max(in_model, caches_.surely_out_of_core());
    return std::max(wanted, least_);
  }

  CacheLimits caches_;
  std::int64_t least_;
};

}  // namespace

std::string conditions_of(CacheMode mode, const CopyNeeds& needs) {
  std::string text = fmt::format("cache {}", name_of(mode));
  if (mode != CacheMode::Model) return text;
  const Places places(needs);
  text += fmt::format(", weights {}, inputs", places.of(needs.weights));
  for (const CopyNeeds::Input& input : needs.inputs)
    text += fmt::format(" {}", places.of(input.memory));
  text += fmt::format(", outputs {}", places.of(needs.outputs));
  if (runs_in_context(needs)) text += ", in context";
  return text;
}

}  // namespace jouletree::measure
