#pragma once

#include <filesystem>

namespace jouletree {

/// A folder for files of the moment. Removed with all that is in it; the first one of a process
/// also removes those of this user whose processes were killed. Throws Error(Missing) where none
/// can be made.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  ///< Of a file in the folder, for as long as the folder is in use.
};

/// Removes folders of this user below `parent` whose lock nobody holds.
void remove_lost_scratch_folders(const std::filesystem::path& parent);

}  // namespace jouletree
