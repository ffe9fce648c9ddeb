#pragma once

#include <memory>
#include <string>

#include "jouletree/graph.hpp"
#include "zoo/architecture.hpp"

namespace jouletree::zoo {

/// An architecture for counting, as published or with settings behind its name ("resnet-18
/// size=64"): its weights have shapes, but are neither made nor kept. Throws Error(BadInput) for an
/// unknown name, with the nearest ones, and for settings that it cannot have.
[[nodiscard]] std::shared_ptr<const Graph> weightless_graph(const std::string& name);
/// The same with other settings. Throws Error(BadInput) for settings that do not fit together.
[[nodiscard]] std::shared_ptr<const Graph> weightless_graph(const Architecture& architecture,
                                                            const Settings& settings);
/// The same of what a writer collected.
[[nodiscard]] std::shared_ptr<const Graph> weightless_graph(const ModelWriter& writer,
                                                            const std::string& name);

}  // namespace jouletree::zoo
