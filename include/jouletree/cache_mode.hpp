#pragma once

#include <cstdint>
#include <string_view>

namespace jouletree {

/// How an operator or a module that runs alone finds its memory.
enum class CacheMode : std::uint8_t {
  Hot,    ///< All that it reads is read again and again.
  Model,  ///< Weights as far apart as inside the model, inputs just written: as an inner layer.
  Cold,   ///< Weights and inputs come from buffers larger than the last-level cache.
};
/// "hot", "model", "cold".
[[nodiscard]] std::string_view name_of(CacheMode mode);

}  // namespace jouletree
