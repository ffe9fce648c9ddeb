#pragma once

#include <filesystem>

namespace jouletree::runtime {

/// Where engine plug-ins and their worker are looked for: what JOULETREE_ENGINE_DIR says, else
/// `../lib/jouletree` as seen from the folder of the program, so that an installation can be moved.
/// Programs that only link the library find those of an installed JouleTree, unless they set a
/// folder of their own.
[[nodiscard]] std::filesystem::path engine_folder();

/// For what brings plug-ins along without being the program, such as the Python package. To be
/// called before anything else; what JOULETREE_ENGINE_DIR says still comes first.
void set_engine_folder(const std::filesystem::path& folder);

}  // namespace jouletree::runtime
