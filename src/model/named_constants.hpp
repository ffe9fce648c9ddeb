#pragma once

#include "jouletree/graph.hpp"

namespace jouletree::model {

/// Takes out Identity nodes that do nothing but give a stored tensor another name: exporters store
/// tensors of equal content once, and let the others be such names. The names become constants with
/// the bytes of that tensor, so that whoever reads them reads a stored tensor. Nodes are numbered
/// anew, and a note of the graph tells how many were taken out.
void fold_named_constants(Graph& graph);

/// By ValueId: the first constant with the same bytes in the file, which several names may stand
/// for; the value itself for all others.
[[nodiscard]] std::vector<ValueId> stored_values(const Graph& graph);

}  // namespace jouletree::model
