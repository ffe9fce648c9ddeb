#pragma once

#include <filesystem>

namespace jouletree {

/// A folder for files of the moment. Removed with all that is in it. Throws Error(Missing) where
/// none can be made.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace jouletree
