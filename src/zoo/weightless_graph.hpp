#pragma once

#include <memory>
#include <string>

#include "jouletree/graph.hpp"

namespace jouletree::zoo {

/// An architecture as published, for counting: its weights have shapes, but are neither made nor
/// kept. Throws Error(BadInput) for an unknown name, with the nearest ones.
[[nodiscard]] std::shared_ptr<const Graph> weightless_graph(const std::string& name);

}  // namespace jouletree::zoo
