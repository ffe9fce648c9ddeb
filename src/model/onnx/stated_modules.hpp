#pragma once

#include <string_view>

#include "jouletree/graph.hpp"

namespace jouletree::model::onnx {

/// The entry of a model's metadata that tells about its modules: one per line, with tabs between
/// its path, its class, its parameters and those of them that are trainable.
inline constexpr std::string_view kModulesKey = "jouletree.modules";

/// Sets Graph::stated_modules. Throws Error(BadInput) for an entry that is written in another way.
void read_stated_modules(std::string_view entry, Graph& graph);

}  // namespace jouletree::model::onnx
