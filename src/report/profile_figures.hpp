#pragma once

#include "jouletree/tree_files.hpp"
#include "measure/measured_figures.hpp"

namespace jouletree::report {

/// What is known about a node of the tree: the model and its modules measured as a whole, operators
/// alone. Holds a reference to the profile.
[[nodiscard]] FiguresOf figures_of(const measure::Profile& profile);

}  // namespace jouletree::report
