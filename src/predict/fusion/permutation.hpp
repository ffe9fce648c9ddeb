#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "predict/fusion/graph_edit.hpp"

namespace jouletree::predict {

/// Axis i of the result is axis perm[i] of what is transposed.
using Permutation = std::vector<std::int64_t>;
using AxisList = std::vector<std::int64_t>;

/// Nothing where the node is no Transpose or does not say a valid order.
[[nodiscard]] std::optional<Permutation> permutation_of(const Node* node);
[[nodiscard]] Permutation inverse_of(const Permutation& permutation);
/// First `a`, then `b`.
[[nodiscard]] Permutation composed(const Permutation& a, const Permutation& b);
[[nodiscard]] bool is_identity(const Permutation& permutation);
/// From channels last to channels first: 0, 3, 1, 2.
[[nodiscard]] Permutation channels_to_front(std::size_t rank);
[[nodiscard]] Dims permuted(const Dims& dims, const Permutation& permutation);
/// Negative axes count from the end; nothing where one is out of range or stands there twice.
[[nodiscard]] std::optional<AxisList> normal_axes(AxisList axes, std::size_t rank);
/// For a tensor with new axes of size 1 at these places.
[[nodiscard]] Permutation unsqueezed(const Permutation& permutation, const AxisList& axes);
/// For a tensor without these axes.
[[nodiscard]] Permutation squeezed(const Permutation& permutation, const AxisList& axes);
/// Where these axes lie before the transposition; in order.
[[nodiscard]] AxisList sorted_sources(const AxisList& axes, const Permutation& permutation);

}  // namespace jouletree::predict
