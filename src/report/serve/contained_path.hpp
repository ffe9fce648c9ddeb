#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace jouletree::report {

/// What the segments of an address name below a folder. Nothing where that does not exist, or where
/// a link on the way leads out of the folder. `root` is canonical.
[[nodiscard]] std::optional<std::filesystem::path> contained_path(
    const std::filesystem::path& root, const std::vector<std::string>& segments);

/// Whether a link that lies directly in the folder leads out of the root.
[[nodiscard]] bool has_link_out(const std::filesystem::path& root,
                                const std::filesystem::path& folder);

}  // namespace jouletree::report
