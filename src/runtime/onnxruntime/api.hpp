#pragma once

#include <onnxruntime_cxx_api.h>

#include <string>

namespace jouletree::runtime::onnxruntime {

/// Opens the library and makes its interface known to the C++ wrapper. Throws std::runtime_error
/// for a library that cannot be opened or is too old. Later calls do nothing.
void open_library(const std::string& path);

/// "1.30.0"; the library must be open.
[[nodiscard]] std::string library_version();

[[nodiscard]] Ort::Env& environment();

}  // namespace jouletree::runtime::onnxruntime
