#pragma once

#include <filesystem>

namespace jouletree {

/// Says where the engines' plug-ins and their worker are: `lib/jouletree` of an installation. For
/// programs that bring them along, or have JouleTree in an unusual place; others find those beside
/// them (`../lib/jouletree`), in /usr/local or in /usr. To be called before anything else; what
/// JOULETREE_ENGINE_DIR says still comes first.
void set_engine_folder(const std::filesystem::path& folder);

}  // namespace jouletree
