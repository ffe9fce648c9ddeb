#pragma once

#include <string_view>

namespace jouletree::store {

/// Whether what a database calls an engine ("ONNX Runtime 1.30.0") is the one that flags call so
/// ("onnxruntime").
[[nodiscard]] bool is_of_engine(std::string_view recorded, std::string_view flag);

}  // namespace jouletree::store
