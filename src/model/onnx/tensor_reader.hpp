#pragma once

#include "jouletree/graph.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::model::onnx {

/// Deepest nesting of types and blocks that is followed; real models stay below ten.
inline constexpr int kMaxNesting = 32;

[[nodiscard]] StoredTensor read_tensor(Message message);
/// The same into a tensor that nothing was read into yet.
void read_tensor(Message message, StoredTensor& tensor);
[[nodiscard]] StoredTensor read_sparse_tensor(Message message);

struct ValueInfo {
  std::string_view name;
  ValueType type;
  std::vector<DeclaredDim> dims;
};
[[nodiscard]] ValueInfo read_value_info(Message message);

}  // namespace jouletree::model::onnx
