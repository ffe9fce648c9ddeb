#pragma once

#include <onnxruntime_cxx_api.h>

namespace jouletree::onnxruntime {

/// The same numbers elsewhere in memory. Throws std::runtime_error for what is not a tensor of
/// numbers.
[[nodiscard]] Ort::Value copy_of(const Ort::Value& value);

}  // namespace jouletree::onnxruntime
