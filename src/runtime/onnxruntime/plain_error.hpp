#pragma once

#include <string>
#include <string_view>

namespace jouletree::runtime::onnxruntime {

/// What ONNX Runtime complains about, as one line: without places and signatures of its own
/// source, numbers of its errors and the name of the file, which the caller knows.
[[nodiscard]] std::string plain_error(std::string_view what);

/// Why a device cannot be used, with what to do about it.
[[nodiscard]] std::string device_problem(const std::string& device, std::string_view what);

}  // namespace jouletree::runtime::onnxruntime
