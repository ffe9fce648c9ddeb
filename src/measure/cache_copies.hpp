#pragma once

#include <cstdint>
#include <optional>

#include "measure/profile.hpp"
#include "model/onnx/model_parts.hpp"

namespace jouletree {

/// What the number of copies of an operator in its cut-out model depends on.
struct CopyNeeds {
  double seconds = 0;             ///< One call, roughly.
  std::int64_t weight_bytes = 0;  ///< Of the operator.
  std::int64_t input_bytes = 0;   ///< Of the operator.
  std::int64_t model_bytes = 0;   ///< Of the whole model's weights.
  std::int64_t peak_bytes = 0;    ///< Of activations that are alive at once in the model.
  std::int64_t output_bytes = 0;  ///< Of the operator.
  std::optional<std::int64_t> last_cache_bytes;
};

/// So many that a run lasts far longer than the call of the engine, and that the operator finds its
/// memory as the mode says.
[[nodiscard]] onnx::Copies copies_for(CacheMode mode, const CopyNeeds& needs);

}  // namespace jouletree
