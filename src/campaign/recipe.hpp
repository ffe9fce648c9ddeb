#pragma once

#include <filesystem>
#include <optional>

#include "campaign/item.hpp"
#include "jouletree/model_recipe.hpp"

namespace jouletree::campaign {

/// Writes into `scratch` how PyTorch makes or trains the model of an item; nothing for items that
/// are run from a file as it stands. The user's modules are found in `folder`.
[[nodiscard]] std::optional<ModelRecipe> recipe_for(const Item& item,
                                                    const std::filesystem::path& folder,
                                                    const std::filesystem::path& scratch);

}  // namespace jouletree::campaign
