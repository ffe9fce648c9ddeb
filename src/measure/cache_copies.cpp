#include "measure/cache_copies.hpp"

#include <algorithm>

#include "measure/cache_limits.hpp"

namespace jouletree::measure {
namespace {

constexpr double kLongRunS = 4e-4;
constexpr int kMostHot = 64;
constexpr int kMostApart = 64;
constexpr int kMostCold = 512;
/// Files of models end at 2 GiB.
constexpr std::int64_t kMostBytes = std::int64_t{3} << 29U;
/// Cores share the last cache, and on a virtual machine with cores that nobody sees here.
constexpr std::int64_t kMostContext = std::int64_t{32} << 20U;
constexpr double kLongContextS = 3e-3;

int for_length(const CopyNeeds& needs) {
  return std::clamp(static_cast<int>(kLongRunS / std::max(needs.seconds, 1e-7)), 1, kMostHot);
}

std::int64_t input_bytes(const CopyNeeds& needs) {
  std::int64_t bytes = 0;
  for (const CopyNeeds::Input& input : needs.inputs) bytes += input.memory.bytes;
  return bytes;
}

CacheLimits limits_of(const CopyNeeds& needs) {
  return CacheLimits::of(needs.core_cache_bytes, needs.last_cache_bytes);
}

/// Bytes that pass through the caches with a call and its context.
std::int64_t most_context(const CacheLimits& caches) {
  return std::max(std::min(caches.last, kMostContext), caches.surely_out_of_core());
}

engines::Copies cold_copies(const CopyNeeds& needs) {
  const std::int64_t each = std::max(needs.weights.bytes + input_bytes(needs), kSmallBytes);
  const std::int64_t span = 2 * limits_of(needs).last;
  const int sets =
      static_cast<int>(std::clamp(std::min((span + each - 1) / each, kMostBytes / each),
                                  std::int64_t{1}, std::int64_t{kMostCold}));
  engines::Copies copies{std::max(for_length(needs), sets), sets, {}, std::nullopt};
  for (const CopyNeeds::Input& input : needs.inputs) copies.input_sets[input.name] = sets;
  return copies;
}

class CopiesAsInModel {
 public:
  explicit CopiesAsInModel(const CopyNeeds& needs)
      : each_(bytes_of_a_call(needs)),
        caches_(limits_of(needs)),
        longest_(std::max(2, static_cast<int>(needs.longest_run / std::max(needs.seconds, 1e-7)))),
        in_context_(runs_in_context(needs)) {
    copies_.weight_sets = sets_of(needs.weights);
    const int writes = sets_of(needs.outputs);
    copies_.count = std::max({for_length(needs), copies_.weight_sets, writes});
    for (const CopyNeeds::Input& input : needs.inputs) {
      const int sets = sets_of(input.memory);
      copies_.input_sets[input.name] = sets;
      copies_.count = std::max(copies_.count, sets);
    }
    copies_.output_bytes = (writes - 1) * needs.outputs.bytes;
    // To keep them costs nothing, to give them back a little.
    if (writes > 1 && copies_.count <= 2 * writes) copies_.output_bytes.reset();
    // The context leaves the caches of the core as the model does: code, results and inputs. One
    // call after it is a run; from run to run it takes turns at what is farther away. The shared
    // cache takes a longer context, which is worth it where that is quick.
    if (in_context_) {
      copies_.count = 1;
      copies_.context.least_bytes = std::max<std::int64_t>(0, caches_.surely_out_of_core() - each_);
      copies_.context.most_bytes = most_context(caches_) - each_;
      copies_.context.longest =
          std::chrono::duration<double>(std::max(kLongContextS, needs.seconds));
    }
  }

  [[nodiscard]] const engines::Copies& copies() const { return copies_; }

 private:
  /// What is still in the caches of the core passes as many bytes until its next turn as in the
  /// model. What is not there has as many sets as surely do not fit. A call that moves as many
  /// bytes by itself needs no other set.
  [[nodiscard]] int sets_of(const CopyNeeds::Memory& memory) const {
    if (memory.bytes < kSmallBytes) return 1;
    const bool is_near = caches_.is_near(memory.reused_after);
    if (is_near && in_context_) return 1;
    const std::int64_t span =
        is_near ? memory.reused_after : std::max(memory.reused_after, caches_.surely_out_of_core());
    if (each_ >= std::min(span, caches_.surely_out_of_all())) return 1;
    const std::int64_t step = is_near ? each_ : memory.bytes;
    const std::int64_t wanted = (span + step - 1) / step;
    const std::int64_t possible = std::min(kMostBytes / memory.bytes, std::int64_t{kMostApart});
    return static_cast<int>(
        std::clamp(std::min(wanted, possible), std::int64_t{1}, std::int64_t{longest_}));
  }

  std::int64_t each_;  ///< Bytes that one call uses.
  CacheLimits caches_;
  int longest_;
  bool in_context_;
  engines::Copies copies_;
};

}  // namespace

std::int64_t bytes_of_a_call(const CopyNeeds& needs) {
  const std::int64_t borders = needs.weights.bytes + input_bytes(needs) + needs.outputs.bytes;
  return std::max(needs.call_bytes.value_or(borders), kSmallBytes);
}

bool runs_in_context(const CopyNeeds& needs) {
  return needs.in_context && bytes_of_a_call(needs) < most_context(limits_of(needs));
}

engines::Copies copies_for(CacheMode mode, const CopyNeeds& needs) {
  switch (mode) {
    case CacheMode::Hot: break;
    case CacheMode::Model: return CopiesAsInModel(needs).copies();
    case CacheMode::Cold: return cold_copies(needs);
  }
  engines::Copies copies;
  copies.count = for_length(needs);
  return copies;
}

}  // namespace jouletree::measure
