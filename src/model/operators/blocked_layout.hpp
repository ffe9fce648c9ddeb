#pragma once

#include <cstdint>

namespace jouletree::model {

/// Channels in a block of the engine's blocked layout on this machine: as many as its widest vector
/// registers hold. The engine writes graphs in this layout only for the machine it runs on.
[[nodiscard]] inline std::int64_t engine_block_size() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") != 0 ? 16 : 8;
#else
  return 16;
#endif
}

}  // namespace jouletree::model
