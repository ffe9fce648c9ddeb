#pragma once

#include <filesystem>
#include <vector>

namespace jouletree::store {

/// Removes the folders that somebody is about to make for a result, if they are empty in the end:
/// who was interrupted or failed leaves nothing behind.
class MadeFolders {
 public:
  /// To be made before the folder is. Of a folder that is there nothing is removed.
  explicit MadeFolders(const std::filesystem::path& folder);
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();

 private:
  std::vector<std::filesystem::path> missing_;  ///< The innermost first.
};

}  // namespace jouletree::store
