#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "jouletree/inference.hpp"

namespace jouletree::zoo {

/// There is no such file, but the zoo has an architecture of this name, which settings may follow:
/// "resnet-18 size=64".
[[nodiscard]] bool is_zoo_name(const std::string& given);

/// Throws Error(BadInput) if there is neither a file nor an architecture of this name, with the
/// names in the zoo that are near.
void refuse_unknown_name(const std::string& given);

/// A model file or, where there is none, the architecture of this name without its weights. Throws
/// Error(BadInput) where there is neither, and for settings that the architecture cannot have.
[[nodiscard]] std::shared_ptr<const Graph> read_or_make(const std::string& given,
                                                        const InputSettings& settings);

}  // namespace jouletree::zoo
