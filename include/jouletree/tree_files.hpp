#pragma once

#include <iosfwd>

#include "jouletree/tree.hpp"

namespace jouletree {

/// One line of a tree file: a JSON object with the keys of the published IrEne data and our own
/// beside them. What was not measured is null.
void write_tree_line(const ModelTree& tree, std::ostream& out);

/// The per-layer file: a header, then one row per operator in execution order. What is unknown is
/// an empty field.
void write_layers(const ModelTree& tree, std::ostream& out);

}  // namespace jouletree
