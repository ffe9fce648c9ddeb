#pragma once

#include <nlohmann/json.hpp>

namespace jouletree::runtime::libtorch {

/// Loads a TorchScript file, runs it once with made-up inputs of the wanted shapes and tells what
/// it holds and which calls it made. Errors become part of the answer.
[[nodiscard]] nlohmann::json record_torchscript(const nlohmann::json& request);

}  // namespace jouletree::runtime::libtorch
