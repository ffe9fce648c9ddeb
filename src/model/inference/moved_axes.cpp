#include "model/inference/moved_axes.hpp"

#include <algorithm>

namespace jouletree::model {

std::optional<Axes> permuted(const Axes& axes, const Attribute* order) {
  Axes result(axes.rbegin(), axes.rend());
  if (order == nullptr) return result;
  if (order->integers.size() != axes.size()) return std::nullopt;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t from = order->integers[i];
    if (from < 0 || from >= static_cast<std::int64_t>(axes.size())) return std::nullopt;
    result[i] = axes[static_cast<std::size_t>(from)];
  }
  return result;
}

std::optional<Axes> with_added(const Axes& axes, const NamedAxes& added) {
  if (!added) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(axes.size() + added->size());
  std::vector<bool> is_new(static_cast<std::size_t>(rank), false);
  for (const std::int64_t axis : *added) {
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) return std::nullopt;
    is_new[static_cast<std::size_t>(at)] = true;
  }
  Axes result;
  std::size_t next = 0;
  for (const bool fresh : is_new)
    result.push_back(fresh || next >= axes.size() ? kNoAxis : axes[next++]);
  return result;
}

std::optional<Axes> without_removed(const Axes& axes, const NamedAxes& removed) {
  if (!removed) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(axes.size());
  Axes result;
  for (std::int64_t i = 0; i < rank; ++i) {
    const bool gone = std::any_of(removed->begin(), removed->end(), [&](std::int64_t axis) {
      return (axis < 0 ? axis + rank : axis) == i;
    });
    if (!gone) result.push_back(axes[static_cast<std::size_t>(i)]);
  }
  return result;
}

}  // namespace jouletree::model
