#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace jouletree::engines {

/// The model with all weights in it whose data lie in files that are missing beside it, but are
/// there in another folder. Nothing where there are none. Throws Error(BadInput) for a file that is
/// no model, and for data that are in neither folder.
[[nodiscard]] std::optional<std::string> with_inlined_data(
    const std::filesystem::path& model, const std::filesystem::path& folder_of_data);

}  // namespace jouletree::engines
