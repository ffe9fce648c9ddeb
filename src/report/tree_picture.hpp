#pragma once

#include <iosfwd>
#include <optional>

#include "store/profile_view.hpp"

namespace jouletree::report {

/// The tree of a profile as one picture: every node as wide as its time, or its energy where no
/// time is known, and what is inside it below it. `depth`: levels below the model.
void print_tree_svg(const store::ProfileView& view, std::optional<int> depth, std::ostream& out);

/// The same as text for Graphviz: `dot -Tsvg`.
void print_tree_graphviz(const store::ProfileView& view, std::optional<int> depth,
                         std::ostream& out);

}  // namespace jouletree::report
