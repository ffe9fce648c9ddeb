#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/operators/table.hpp"

namespace jouletree::model {

/// The content of an input, as many elements as its shape has. Null where it is unknown, and where
/// it is long and of a type that positions and masks do not have: those are weights, not to be
/// read.
[[nodiscard]] const Elements* followed_content(const Call& call, std::size_t position);

/// A list of whole numbers from the attribute `name` or, in newer opsets, from the input at
/// `position`. `elements` is empty where even the length is unknown.
struct ListArgument {
  bool given = false;
  std::optional<Elements> elements;
};
[[nodiscard]] ListArgument list_argument(const Call& call, std::string_view name,
                                         std::size_t position);
/// The same for operators that have it only as an input.
[[nodiscard]] ListArgument list_argument(const Call& call, std::size_t position);

/// Whether the shape is known and holds few enough elements to compute them.
[[nodiscard]] bool can_hold_content(const Dims& dims);
/// Row-major strides; all zero for an empty tensor, whose strides may not fit in 64 bits.
[[nodiscard]] std::vector<std::int64_t> content_strides(const Dims& dims);
/// start + sum of index * stride for every index of `dims` in row-major order; nothing where
/// can_hold_content(dims) is false.
[[nodiscard]] std::vector<std::int64_t> strided_offsets(const Dims& dims, std::int64_t start,
                                                        const std::vector<std::int64_t>& strides);
/// The elements at the offsets; unknown where an offset is outside.
[[nodiscard]] Elements picked(const Elements& input, const std::vector<std::int64_t>& offsets);

/// The cost of an operator that reads only those elements of its first input which it writes, and
/// all of its other inputs.
[[nodiscard]] OperatorWork moves_selected(const Call& call);

}  // namespace jouletree::model
