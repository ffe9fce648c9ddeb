#pragma once

#include <nlohmann/json.hpp>

namespace jouletree::runtime::onnxruntime {

/// What ONNX Runtime's own profile of several runs says about kernels, in nanoseconds: "kernels",
/// the median of each by the name of its node, and "timeline", name, begin, duration and operator
/// of each kernel of the last run. Throws std::runtime_error for what is no such profile.
[[nodiscard]] nlohmann::json kernel_times(const nlohmann::json& events);

}  // namespace jouletree::runtime::onnxruntime
