#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/copies.hpp"
#include "measure/profile.hpp"

namespace jouletree::measure {

/// What the number of copies of an operator or a module in its cut-out model depends on.
struct CopyNeeds {
  /// Memory that it uses, and the bytes that pass through the caches in the whole model
  /// until it is used again.
  struct Memory {
    std::int64_t bytes = 0;
    std::int64_t reused_after = 0;
  };
  struct Input {
    std::string name;
    Memory memory;
  };
  double seconds = 0;         ///< One call, roughly.
  double longest_run = 0.06;  ///< In seconds; longer ones make windows too long to plan with.
  Memory weights;
  std::vector<Input> inputs;
  Memory outputs;
  /// That one call moves through the caches; nothing: weights, inputs and outputs.
  std::optional<std::int64_t> call_bytes;
  std::optional<std::int64_t> core_cache_bytes;  ///< Of the caches that belong to one core.
  std::optional<std::int64_t> last_cache_bytes;
  bool in_context = false;  ///< What runs before it in the model can run before it here.
};

/// So many that a run lasts far longer than the call of the engine, and that the operator or module
/// finds its memory as the mode says. What fills the caches by itself needs one set only.
[[nodiscard]] engines::Copies copies_for(CacheMode mode, const CopyNeeds& needs);

/// That it moves through the caches.
[[nodiscard]] std::int64_t bytes_of_a_call(const CopyNeeds& needs);
/// Whether copies_for(CacheMode::Model) lets it run after its context: not where it fills the
/// caches by itself.
[[nodiscard]] bool runs_in_context(const CopyNeeds& needs);

}  // namespace jouletree::measure
