#pragma once

#include <onnxruntime_cxx_api.h>

#include <optional>

namespace jouletree::runtime::onnxruntime {

/// The same numbers elsewhere in memory; nothing for what is not a tensor of numbers.
[[nodiscard]] std::optional<Ort::Value> copy_of(const Ort::Value& value);

}  // namespace jouletree::runtime::onnxruntime
