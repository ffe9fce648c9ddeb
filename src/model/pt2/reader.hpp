#pragma once

#include <filesystem>
#include <string_view>

#include "jouletree/inference.hpp"

namespace jouletree::model::pt2 {

/// Reads an archive of torch.export without PyTorch. Its graph states the type of every value, with
/// sizes that depend on those of the inputs: they are settled here, so that the graph holds for
/// these settings only. Weights are never touched. `path` names the archive in errors. Throws
/// Error(BadInput) for archives without a graph, of a schema that is too new, or damaged.
[[nodiscard]] Graph read(std::string_view archive, const std::filesystem::path& path,
                         const InputSettings& settings);

}  // namespace jouletree::model::pt2
