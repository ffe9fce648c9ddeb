#pragma once

#include <string>
#include <string_view>

#include "jouletree/graph.hpp"

namespace jouletree::model::onnx {

/// Reads a tensor that stands in a file of its own, as those of ONNX's test data do (input_0.pb).
/// Views point into `bytes`. Throws Error(BadInput) for what is none; `origin` names it.
[[nodiscard]] StoredTensor read_tensor_file(std::string_view bytes, const std::string& origin);

/// The elements of a tensor that is not external, little-endian: a view of them where they stand so
/// in the file, else of `made`, where they are put together. Throws Error(BadInput) where they are
/// not as many as the tensor's dimensions say, or no numbers.
[[nodiscard]] std::string_view raw_elements(const StoredTensor& tensor, std::string& made,
                                            const std::string& origin);

}  // namespace jouletree::model::onnx
