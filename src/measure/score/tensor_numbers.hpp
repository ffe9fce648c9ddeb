#pragma once

#include <string_view>
#include <vector>

#include "jouletree/value_type.hpp"

namespace jouletree::measure {

/// A tensor whose elements stand row by row, little-endian. Whoever made it keeps the bytes.
struct TensorView {
  DataType type = DataType::Undefined;
  Dims dims;
  std::string_view bytes;
};

/// Bytes of one element; 0 for those that are no plain numbers of whole bytes.
[[nodiscard]] std::size_t width_of(DataType type);

/// All elements. Throws Error(BadInput), calling the tensor `what`, for elements that are no
/// numbers and for fewer bytes than the shape says.
[[nodiscard]] std::vector<double> numbers_of(const TensorView& tensor, std::string_view what);

}  // namespace jouletree::measure
