#include "base/open_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace jouletree {

OpenFolder::OpenFolder(const std::filesystem::path& path)
    : descriptor_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

OpenFolder::~OpenFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OpenFolder::lock() const {
  while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

void OpenFolder::sync() const { (void)::fsync(descriptor_); }

}  // namespace jouletree
