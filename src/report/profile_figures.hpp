#pragma once

#include <optional>

#include "jouletree/tree_files.hpp"
#include "measure/profile.hpp"

namespace jouletree {

/// A number and the bounds that the true one lies in, as far as they are known.
struct Figure {
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
};

/// Seconds per run: the median and its 95 % interval.
[[nodiscard]] Figure time_of(const Measured& measured);
/// Joules per run, with the bounds that the meters give.
[[nodiscard]] Figure energy_of(const Measured& measured);
/// The same above idle power; nothing without a baseline. May be negative.
[[nodiscard]] Figure energy_above_idle_of(const Measured& measured);
/// Of the energy; nothing where there is none.
[[nodiscard]] std::optional<Provenance> energy_provenance_of(const Measured& measured);

/// What is known about a node of the tree: the model and its modules measured as a whole, operators
/// alone. Holds a reference to the profile.
[[nodiscard]] FiguresOf figures_of(const Profile& profile);

}  // namespace jouletree
