#pragma once

#include <string_view>

#include "jouletree/tree.hpp"

// What the lines of tree files say, for those who write and those who read them.
namespace jouletree::tree {

/// Whose names the operators carry.
[[nodiscard]] inline std::string_view vocabulary_of(const ModelTree& tree) {
  return tree.graph->recorded ? "aten" : "onnx";
}

/// Operators of ONNX Runtime that no exporter writes.
[[nodiscard]] inline bool is_of_engine(std::string_view domain) {
  return domain.starts_with("com.microsoft");
}
/// Those that keep channels of maps in blocks.
[[nodiscard]] inline bool is_of_blocks(std::string_view domain) {
  return domain == "com.microsoft.nchwc";
}

/// Words and whole numbers, of which the time of an operator depends; factors and tensors are left
/// out, and so is what is so long that it must be data or prose.
[[nodiscard]] inline bool is_told(const Attribute& attribute) {
  constexpr std::size_t kLongest = 32;
  switch (attribute.kind) {
    case AttributeKind::Int: return true;
    case AttributeKind::Ints: return attribute.integers.size() <= kLongest;
    case AttributeKind::String: return attribute.text.size() <= kLongest;
    default: return false;
  }
}

}  // namespace jouletree::tree
