#pragma once

#include <string>
#include <string_view>

#include "jouletree/tree.hpp"

namespace jouletree {

/// Counts a run of a live PyTorch model from what the Python package recorded (JSON: what the model
/// stores, its inputs, and every call with its arguments, module path and phase). `Node::call` of
/// the tree's operators is the index of the recorded call. Throws Error(BadInput) for anything that
/// is not a recording.
[[nodiscard]] ModelTree inspect_recording(std::string_view json, const std::string& name);

}  // namespace jouletree
