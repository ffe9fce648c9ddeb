#pragma once

#include <string>
#include <string_view>

namespace jouletree::predict {

/// Operators of one family cost by the same things, so that prices learned from one say something
/// about another: "convolution", "streaming" for all that moves elements and computes a little on
/// the way. A type that is like no other, or that nobody knows, is a family of its own. Takes names
/// of ONNX and PyTorch, also followed by how the operator was run.
[[nodiscard]] std::string work_family(std::string_view type);

}  // namespace jouletree::predict
