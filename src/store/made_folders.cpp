#include "store/made_folders.hpp"

namespace jouletree::store {

namespace fs = std::filesystem;

MadeFolders::MadeFolders(const fs::path& folder) {
  std::error_code unknown;
  fs::path path = fs::absolute(folder, unknown).lexically_normal();
  // "out/" is "out".
  if (!path.has_filename()) path = path.parent_path();
  while (!unknown && path.has_relative_path() && !fs::exists(fs::symlink_status(path, unknown))) {
    missing_.push_back(path);
    path = path.parent_path();
    unknown.clear();
  }
}

MadeFolders::~MadeFolders() {
  for (const fs::path& folder : missing_) {
    std::error_code kept;
    // What holds something is not removed.
    if (!fs::is_directory(folder, kept) || !fs::remove(folder, kept)) return;
  }
}

}  // namespace jouletree::store
