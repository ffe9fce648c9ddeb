#include "predict/fusion/permutation.hpp"

#include <algorithm>
#include <numeric>

namespace jouletree::predict {
namespace {

std::size_t at(std::int64_t axis) { return static_cast<std::size_t>(axis); }

bool is_permutation_of_axes(Permutation axes) {
  std::sort(axes.begin(), axes.end());
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

bool holds(const AxisList& axes, std::int64_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

}  // namespace

std::optional<Permutation> permutation_of(const Node* node) {
  if (!is_op(node, "Transpose")) return std::nullopt;
  const Attribute* const order = node->attribute("perm");
  if (order == nullptr || !is_permutation_of_axes(order->integers)) return std::nullopt;
  return order->integers;
}

Permutation inverse_of(const Permutation& permutation) {
  Permutation inverse(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i)
    inverse[at(permutation[i])] = static_cast<std::int64_t>(i);
  return inverse;
}

Permutation composed(const Permutation& a, const Permutation& b) {
  Permutation both;
  for (const std::int64_t axis : b) both.push_back(a[at(axis)]);
  return both;
}

bool is_identity(const Permutation& permutation) {
  return std::is_sorted(permutation.begin(), permutation.end());
}

Permutation channels_to_front(std::size_t rank) {
  Permutation permutation(rank);
  std::iota(permutation.begin(), permutation.end(), -1);
  permutation[0] = 0;
  if (rank > 1) permutation[1] = static_cast<std::int64_t>(rank) - 1;
  return permutation;
}

Dims permuted(const Dims& dims, const Permutation& permutation) {
  Dims result;
  for (const std::int64_t axis : permutation) result.push_back(dims[at(axis)]);
  return result;
}

std::optional<AxisList> normal_axes(AxisList axes, std::size_t rank) {
  for (std::int64_t& axis : axes) {
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
  }
  AxisList sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
  return axes;
}

Permutation unsqueezed(const Permutation& permutation, const AxisList& axes) {
  const std::size_t rank = permutation.size() + axes.size();
  AxisList old_axes;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i)
    if (!holds(axes, i)) old_axes.push_back(i);
  Permutation result;
  std::size_t next = 0;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i)
    result.push_back(holds(axes, i) ? i : old_axes[at(permutation[next++])]);
  return result;
}

Permutation squeezed(const Permutation& permutation, const AxisList& axes) {
  AxisList left(permutation.size());
  std::int64_t next = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!holds(axes, static_cast<std::int64_t>(i))) left[i] = next++;
  Permutation result;
  for (const std::int64_t axis : permutation)
    if (!holds(axes, axis)) result.push_back(left[at(axis)]);
  return result;
}

AxisList sorted_sources(const AxisList& axes, const Permutation& permutation) {
  AxisList sources;
  for (const std::int64_t axis : axes) sources.push_back(permutation[at(axis)]);
  std::sort(sources.begin(), sources.end());
  return sources;
}

}  // namespace jouletree::predict
