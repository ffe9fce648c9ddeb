#include "base/engine_folder.hpp"

#include <cstdlib>
#include <system_error>

namespace jouletree {

std::filesystem::path engine_folder() {
  if (const char* given = std::getenv("JOULETREE_ENGINE_DIR"); given != nullptr && *given != '\0')
    return given;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    auto beside = program.parent_path().parent_path() / "lib" / "jouletree";
    if (std::filesystem::is_directory(beside, error)) return beside;
  }
  return JOULETREE_ENGINE_FOLDER;
}

}  // namespace jouletree
