#include "base/scratch_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT: mkdtemp() is not in cstdlib
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>
#include <string>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "jouletree-";
constexpr const char* kOwner = ".owner";

/// -1 where the file system knows no locks: then nobody removes the folder of another process.
int locked_owner(const fs::path& folder) {
  const fs::path unlocked = folder / ".owner-new";
  const int file = ::open(unlocked.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  // Under its name there is no moment without the lock.
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 &&
      ::rename(unlocked.c_str(), (folder / kOwner).c_str()) == 0)
    return file;
  ::unlink(unlocked.c_str());
  ::close(file);
  return -1;
}

bool is_own_folder(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid();
}

void remove_if_lost(const fs::path& folder) {
  const int file = ::open((folder / kOwner).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return;
  std::error_code ignored;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) fs::remove_all(folder, ignored);
  ::close(file);
}

}  // namespace

void remove_lost_scratch_folders(const fs::path& parent) {
  std::error_code end;
  for (fs::directory_iterator entry(parent, end); !end && entry != fs::directory_iterator();
       entry.increment(end)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && is_own_folder(entry->path())) remove_if_lost(entry->path());
  }
}

ScratchFolder::ScratchFolder() {
  const fs::path parent = fs::temp_directory_path();
  static std::once_flag looked;
  std::call_once(looked, [&] { remove_lost_scratch_folders(parent); });
  std::string name = (parent / "jouletree-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::Missing, fmt::format("cannot make a folder like {}", name));
  path_ = name;
  lock_ = locked_owner(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace jouletree
