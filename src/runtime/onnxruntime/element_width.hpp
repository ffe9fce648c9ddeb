#pragma once

#include <onnxruntime_cxx_api.h>

#include <cstddef>

namespace jouletree::runtime::onnxruntime {

/// Bytes of one element; 0 for texts, packed and unknown types.
[[nodiscard]] std::size_t width_of(ONNXTensorElementDataType type);

}  // namespace jouletree::runtime::onnxruntime
