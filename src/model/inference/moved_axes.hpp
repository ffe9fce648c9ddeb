#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "jouletree/graph.hpp"

namespace jouletree::model {

/// The axis of an input that each axis of a value shows.
using Axes = std::vector<int>;
/// Stands for an axis that shows none of the input's.
inline constexpr int kNoAxis = -1;

/// Axes that a node names; those below 0 count from the end. Nothing where they are not known.
using NamedAxes = std::optional<std::vector<std::int64_t>>;

// What is left of `axes` behind an operator that moves them; nothing where that cannot be told.

/// `order` is the attribute of a transpose; null turns them round.
[[nodiscard]] std::optional<Axes> permuted(const Axes& axes, const Attribute* order);
[[nodiscard]] std::optional<Axes> with_added(const Axes& axes, const NamedAxes& added);
[[nodiscard]] std::optional<Axes> without_removed(const Axes& axes, const NamedAxes& removed);

}  // namespace jouletree::model
