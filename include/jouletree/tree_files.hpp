#pragma once

#include <functional>
#include <iosfwd>
#include <optional>

#include "jouletree/provenance.hpp"
#include "jouletree/tree.hpp"

namespace jouletree {

/// What was measured of a node of the tree; nothing where it was not.
struct NodeFigures {
  std::optional<double> time_s;
  std::optional<double> energy_j;
  Provenance energy_provenance = Provenance::Measured;
};
/// Asked once for every node. Empty for a tree that was only counted.
using FiguresOf = std::function<NodeFigures(const TreeNode&)>;

/// One line of a tree file: a JSON object with the keys of the published IrEne data and our own
/// beside them. What was not measured is null.
void write_tree_line(const ModelTree& tree, std::ostream& out, const FiguresOf& figures_of = {});

/// The per-layer file: a header, then one row per operator in execution order. What is unknown is
/// an empty field.
void write_layers(const ModelTree& tree, std::ostream& out, const FiguresOf& figures_of = {});

}  // namespace jouletree
