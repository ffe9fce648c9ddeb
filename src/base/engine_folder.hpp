#pragma once

#include <filesystem>

namespace jouletree {

/// Where engine plug-ins and their worker stand: $JOULETREE_ENGINE_DIR, else lib/jouletree beside the
/// folder of the running program, else the folder that this library was installed for.
[[nodiscard]] std::filesystem::path engine_folder();

}  // namespace jouletree
