#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/graph.hpp"

namespace jouletree::tree {

/// One module on the way from the root to an operator.
struct ScopeStep {
  std::string name;  ///< "0", "attention", "layer.3".
  std::string type;  ///< Class of the module; empty where the file does not say.
};

struct Scope {
  std::vector<ScopeStep> modules;
  std::string leaf;  ///< Name of the operator within its module.
};

/// Where a node belongs, from what its exporter left in the file: scope metadata of the newer
/// PyTorch exporter, node names with slashes (PyTorch "/layer1/layer1.0/conv1/Conv", TensorFlow and
/// Keras "model/block_1/conv2d/Conv2D"), calls of model-local functions. No modules where there is
/// nothing of the kind.
[[nodiscard]] Scope scope_of(const Node& node);
/// The modules of a path with slashes, as in the names of nodes.
[[nodiscard]] std::vector<ScopeStep> steps_of(std::string_view path);
/// Whether the file says anything about where the node belongs, and be it outside of all modules.
[[nodiscard]] bool tells_scope(const Node& node);

/// The two parts of a name that alone tells where its node belongs, which saves most nodes the work
/// of scope_of: those whose `modules` are the same text belong to the same module.
struct PlainScope {
  std::string_view modules;
  std::string_view leaf;
};
/// Nothing where more than the name counts.
[[nodiscard]] std::optional<PlainScope> plain_scope_of(const Node& node);

}  // namespace jouletree::tree
