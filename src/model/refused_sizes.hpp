#pragma once

#include <filesystem>

#include "jouletree/inference.hpp"

namespace jouletree::model {

/// Throws Error(BadInput) where the settings give sizes that a program of torch.export does not
/// take, before PyTorch says the same in its own words. Of other files nothing is known.
void refuse_sizes(const std::filesystem::path& file, const InputSettings& settings);

}  // namespace jouletree::model
