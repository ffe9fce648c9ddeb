#pragma once

#include <cstdint>
#include <string_view>

#include "model/onnx/streamed_model.hpp"

namespace jouletree::zoo {

/// The distribution of a weight: bell-shaped, never more than 3.5 deviations from the mean.
struct Fill {
  float mean = 0;
  float deviation = 0.02F;
};

/// Writes `count` float32 numbers. They depend only on seed, name and position in the tensor, and
/// are the same on every machine.
void write_random(std::uint64_t seed, std::string_view name, Fill fill, std::size_t count,
                  const model::ByteSink& out);

/// The same of bytes, all as likely.
void write_random_bytes(std::uint64_t seed, std::string_view name, std::size_t count,
                        const model::ByteSink& out);

}  // namespace jouletree::zoo
