#pragma once

#include <onnxruntime_cxx_api.h>

#include <nlohmann/json.hpp>

namespace jouletree::runtime::onnxruntime {

/// A tensor as a request describes it: {"type": 1, "dims": […]} and either "file" and "offset",
/// where its little-endian elements stand (with "rows", only so many of its first dimension, and
/// the last of them is repeated), or "values" (one fills the tensor), or "low" and "high"
/// for seeded random numbers between them, whole ones for integers. Throws std::runtime_error for
/// element types that cannot be made and for files that do not hold enough.
[[nodiscard]] Ort::Value make_tensor(const nlohmann::json& description, std::uint64_t seed);

}  // namespace jouletree::runtime::onnxruntime
