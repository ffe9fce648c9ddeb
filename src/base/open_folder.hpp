#pragma once

#include <filesystem>

namespace jouletree {

/// An open folder; where that fails, all functions do nothing.
class OpenFolder {
 public:
  explicit OpenFolder(const std::filesystem::path& path);
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder();

  /// From here to the end of this object nobody else passes a lock() of the folder. Some file
  /// systems have no locks; there, two programs that write the same folder at the same time are not
  /// kept apart.
  void lock() const;
  /// What it lists is on the disk.
  void sync() const;

 private:
  int descriptor_;
};

}  // namespace jouletree
