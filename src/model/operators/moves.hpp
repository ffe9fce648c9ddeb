#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/operators/table.hpp"

namespace jouletree::model {

/// The content of an input, as many elements as its shape has. Null where it is unknown, and where
/// it is long and of a type that positions and masks do not have: those are weights, not to be
/// read.
[[nodiscard]] const Elements* followed_content(const Call& call, std::size_t position);

/// A list of whole numbers from the attribute `name` or, in newer opsets, from the input at
/// `position`. `elements` is empty where even the length is unknown. They are those of the input as
/// long as nothing sets it, or else `made`.
struct ListArgument {
  ListArgument() = default;
  explicit ListArgument(std::optional<std::span<const Scalar>> known)
      : given(true), elements(known) {}
  explicit ListArgument(Elements listed) : given(true), made(std::move(listed)), elements(made) {}
  ListArgument(ListArgument&&) = default;
  ListArgument& operator=(ListArgument&&) = default;
  ListArgument(const ListArgument&) = delete;
  ListArgument& operator=(const ListArgument&) = delete;
  ~ListArgument() = default;

  bool given = false;
  Elements made;
  std::optional<std::span<const Scalar>> elements;
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
/// The same at the strided_offsets() of `dims`.
[[nodiscard]] Elements picked(const Elements& input, const Dims& dims, std::int64_t start,
                              const std::vector<std::int64_t>& strides);

/// The cost of an operator that reads only those elements of its first input which it writes, and
/// all of its other inputs.
[[nodiscard]] OperatorWork moves_selected(const Call& call);

}  // namespace jouletree::model
