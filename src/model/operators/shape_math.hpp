#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/operators/call.hpp"

namespace jouletree::model {

/// The axis counted from the front. Fails the call where it is outside [-rank, rank).
[[nodiscard]] std::size_t normal_axis(const Call& call, std::int64_t axis, std::size_t rank);
/// The same for several axes, sorted and without repetition.
[[nodiscard]] std::vector<std::size_t> normal_axes(const Call& call,
                                                   const std::vector<std::int64_t>& axes,
                                                   std::size_t rank);
/// Axes from the attribute `name` or, in newer opsets, from the input at `position`.
/// `known` is false where they are given but depend on data; `axes` is empty where not given.
struct AxesArgument {
  bool known = true;
  std::optional<std::vector<std::int64_t>> axes;
};
[[nodiscard]] AxesArgument axes_argument(const Call& call, std::string_view name,
                                         std::size_t position);

/// Multidirectional broadcasting. Fails the call where the shapes do not fit.
[[nodiscard]] Dims broadcast(const Call& call, const Dims& a, const Dims& b);
/// Of all inputs in [first, last); nothing where one has an unknown rank.
[[nodiscard]] std::optional<Dims> broadcast_inputs(const Call& call, std::size_t first,
                                                   std::size_t last);

/// The outcome of numpy-style matrix multiplication. Fails the call where the shapes do not fit.
struct MatmulDims {
  Dims output;
  Dim inner = kUnknownDim;
};
[[nodiscard]] MatmulDims matmul_dims(const Call& call, const Dims& a, const Dims& b);

/// Output has the type and the shape of the input at `position`.
void same_as_input(Call& call, std::size_t position = 0);
/// The shape rule of operators whose only output is like their first input.
void same_shape(Call& call);
/// The dimension at `axis`, or unknown where the rank is.
[[nodiscard]] Dim dim_at(const Call& call, std::size_t position, std::int64_t axis);
/// A dimension from a product or quotient of counts.
[[nodiscard]] inline Dim dim_of(Count count) { return count.value_or(kUnknownDim); }

/// Fails the call unless two dimensions are equal or one is unknown; gives the known one.
[[nodiscard]] Dim same_dim(const Call& call, Dim a, Dim b, const char* what);

/// Row-major strides of a fully known shape.
[[nodiscard]] std::vector<std::int64_t> strides_of(const Dims& dims);

}  // namespace jouletree::model
