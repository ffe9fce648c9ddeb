#pragma once

#include <cstdint>

#include "model/operators/call.hpp"

namespace jouletree::model {

/// Which inputs of a resizing operator hold what.
struct ResizeInputs {
  std::size_t scales = 0;
  std::size_t sizes = 0;
};

/// The shape that Resize and Upsample give an input of shape `dims`, exactly as ONNX Runtime
/// computes it: in single precision. Fails the call where scales or sizes do not fit.
[[nodiscard]] Dims resized_dims(const Call& call, const Dims& dims, const ResizeInputs& inputs);

}  // namespace jouletree::model
