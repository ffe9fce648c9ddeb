#pragma once

#include "jouletree/tree_files.hpp"
#include "measure/measured_figures.hpp"

namespace jouletree::measure {

/// What is known about a node of the tree: the model and its modules measured as a whole, operators
/// alone. Holds a reference to the profile.
[[nodiscard]] FiguresOf figures_of(const Profile& profile);

}  // namespace jouletree::measure
