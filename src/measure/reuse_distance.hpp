#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace jouletree::measure {

/// What one step of a program reads and writes, beside its weights.
struct Step {
  struct Tensor {
    std::string_view name;
    std::int64_t bytes = 0;
  };
  std::int64_t weight_bytes = 0;
  std::vector<Tensor> reads;
  std::vector<Tensor> writes;
  /// What it may write its result over, where nobody reads that any more.
  std::vector<std::string_view> overwrites;
};

/// Bytes that pass through the caches between two uses of the same memory.
struct Reuse {
  std::int64_t weights = 0;         ///< Since the run before.
  std::vector<std::int64_t> reads;  ///< Since each was last written or read.
  std::int64_t writes = 0;          ///< Since most of what is written to was used.
};

/// Of every step of a program that runs again and again. A new tensor lies in the smallest gap
/// between those that are alive, as engines plan their memory.
[[nodiscard]] std::vector<Reuse> reuse_distances(std::span<const Step> steps);

/// In the middle of several steps; tensors that only some of them read count as just used there.
[[nodiscard]] Reuse typical_reuse(std::span<const Reuse* const> steps);

}  // namespace jouletree::measure
