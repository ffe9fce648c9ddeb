#include "model/operators/shape_math.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"

namespace jouletree::model {
namespace {

Dim broadcast_dim(const Call& call, Dim a, Dim b, const Dims& left, const Dims& right) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  if (a == kUnknownDim) return b;
  if (b == kUnknownDim) return a;
  call.fail(fmt::format("cannot broadcast {} with {}", to_string(left), to_string(right)));
}

}  // namespace

std::size_t normal_axis(const Call& call, std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank)
    call.fail(fmt::format("axis {} is outside a tensor of {}", axis, number_of(rank, "dimension")));
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

std::vector<std::size_t> normal_axes(const Call& call, const std::vector<std::int64_t>& axes,
                                     std::size_t rank) {
  std::vector<std::size_t> result;
  result.reserve(axes.size());
  for (const std::int64_t axis : axes) result.push_back(normal_axis(call, axis, rank));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

AxesArgument axes_argument(const Call& call, std::string_view name, std::size_t position) {
  if (call.has_attribute(name)) return {true, call.attribute_integers(name)};
  if (!call.has_input(position)) return {true, std::nullopt};
  auto axes = call.integers(position);
  const bool known = axes.has_value();
  return {known, std::move(axes)};
}

Dims broadcast(const Call& call, const Dims& a, const Dims& b) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  Dims result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i)
    result[offset + i] = broadcast_dim(call, longer[offset + i], shorter[i], a, b);
  return result;
}

std::optional<Dims> broadcast_inputs(const Call& call, std::size_t first, std::size_t last) {
  std::optional<Dims> result;
  for (std::size_t i = first; i < last; ++i) {
    if (!call.has_input(i)) continue;
    const Dims* dims = call.dims(i);
    if (dims == nullptr) return std::nullopt;
    result = result ? broadcast(call, *result, *dims) : *dims;
  }
  return result;
}

MatmulDims matmul_dims(const Call& call, const Dims& a, const Dims& b) {
  if (a.empty() || b.empty()) call.fail("a matrix product of a scalar");
  const bool vector_a = a.size() == 1;
  const bool vector_b = b.size() == 1;
  const Dim inner_a = a.back();
  const Dim inner_b = vector_b ? b.front() : b[b.size() - 2];
  if (inner_a != inner_b && inner_a != kUnknownDim && inner_b != kUnknownDim)
    call.fail(fmt::format("cannot multiply {} by {}", to_string(a), to_string(b)));
  const Dims batch_a(a.begin(), a.end() - (vector_a ? 1 : 2));
  const Dims batch_b(b.begin(), b.end() - (vector_b ? 1 : 2));
  MatmulDims result{broadcast(call, batch_a, batch_b), inner_a == kUnknownDim ? inner_b : inner_a};
  if (!vector_a) result.output.push_back(a[a.size() - 2]);
  if (!vector_b) result.output.push_back(b.back());
  return result;
}

void same_as_input(Call& call, std::size_t position) { call.set(0, call.input(position)); }

Dim dim_at(const Call& call, std::size_t position, std::int64_t axis) {
  const Dims* dims = call.dims(position);
  return dims == nullptr ? kUnknownDim : (*dims)[normal_axis(call, axis, dims->size())];
}

void same_shape(Call& call) { same_as_input(call); }

Dim same_dim(const Call& call, Dim a, Dim b, const char* what) {
  if (a == kUnknownDim) return b;
  if (b == kUnknownDim || a == b) return a;
  call.fail(fmt::format("{} should be equal, but are {} and {}", what, a, b));
}

std::vector<std::int64_t> strides_of(const Dims& dims) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  // Beside an empty dimension the others may be of any size: the strides are never used then.
  if (elements_of(dims) == Count(0)) return strides;
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

}  // namespace jouletree::model
