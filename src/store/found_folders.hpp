#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "store/profile_folder.hpp"
#include "store/recording.hpp"

namespace jouletree::store {

struct FolderProfile {
  std::filesystem::path folder;
  StoredProfile profile;
};

/// What folders hold, those below them included.
struct FoundFolders {
  std::vector<Recording> recordings;
  std::vector<FolderProfile> profiles;
  std::vector<std::string> notes;  ///< What was found and cannot be read, or is not shown.
};

/// A folder that holds something stands for itself; else for all that is below it. Throws
/// Error(BadInput) for one that holds nothing, and for one named here that cannot be read.
[[nodiscard]] FoundFolders read_folders(const std::vector<std::string>& names);

/// Leaves one run of a recording. Throws Error(BadInput) if it has none of that number.
void keep_run(int number, Recording& recording);

}  // namespace jouletree::store
