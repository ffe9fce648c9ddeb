#pragma once

#include <filesystem>

#include "jouletree/engine_folder.hpp"

namespace jouletree::runtime {

/// Where engine plug-ins and their worker are looked for: what JOULETREE_ENGINE_DIR says, else
/// `../lib/jouletree` as seen from the folder of the program, so that an installation can be moved.
/// Programs that only link the library find those of an installed JouleTree, unless they set a
/// folder of their own.
[[nodiscard]] std::filesystem::path engine_folder();

}  // namespace jouletree::runtime
