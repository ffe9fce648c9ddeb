#include "runtime/engine_folder.hpp"

#include <cstdlib>
#include <system_error>

namespace jouletree::runtime {
namespace {

std::filesystem::path& folder_of_host() {
  static std::filesystem::path folder;
  return folder;
}

}  // namespace

std::filesystem::path engine_folder() {
  if (const char* chosen = std::getenv("JOULETREE_ENGINE_DIR");
      chosen != nullptr && *chosen != '\0')
    return chosen;
  if (!folder_of_host().empty()) return folder_of_host();
  std::error_code unreadable;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  std::filesystem::path beside = (program.parent_path() / "../lib/jouletree").lexically_normal();
  for (const std::filesystem::path& folder :
       {beside, std::filesystem::path("/usr/local/lib/jouletree"),
        std::filesystem::path("/usr/lib/jouletree")})
    if (std::filesystem::is_directory(folder, unreadable)) return folder;
  return beside;
}

}  // namespace jouletree::runtime

namespace jouletree {

void set_engine_folder(const std::filesystem::path& folder) { runtime::folder_of_host() = folder; }

}  // namespace jouletree
