#include "base/replaced_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), problem));
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path) {
  fail(path, "cannot be written: " + std::generic_category().message(errno));
}

void check_target(const std::filesystem::path& target) {
  if (!target.has_filename()) fail(target, "is not a file name; name the file to write");
  struct stat status = {};
  if (::stat(target.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) fail(target, "is a directory; name the file to write in it");
  if (!S_ISREG(status.st_mode)) fail(target, "is not a regular file and cannot be replaced");
}

std::filesystem::path folder_of(const std::filesystem::path& target) {
  return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

/// A file without a name gets one by way of /proc, which not every container has.
bool can_name_open_files() { return ::access("/proc/self/fd", X_OK) == 0; }

/// The same for everybody who writes this target: so the next one finds what somebody left who was
/// killed.
std::string usual_name_beside(const std::filesystem::path& target) {
  constexpr std::uint64_t kOffset = 14695981039346656037U;  // Of FNV-1a.
  constexpr std::uint64_t kPrime = 1099511628211U;
  std::uint64_t hash = kOffset;
  for (const char letter : target.filename().string())
    hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
  return (folder_of(target) / fmt::format(".jouletree-{:016x}", hash)).string();
}

/// A name that nobody has: random, because numbers of processes come again, in containers at once.
std::string free_name_beside(const std::filesystem::path& target) {
  std::random_device random;
  return (folder_of(target) / fmt::format(".jouletree-{:08x}", random())).string();
}

bool is_file_of_name(int file, const std::string& name) {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(file, &opened) == 0 && ::lstat(name.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/// Removes a file that nobody holds the lock of: whoever wrote it was killed.
bool remove_lost(const std::string& name) {
  const int file = ::open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  // Before the lock was there, the name may have become that of another file.
  const bool is_removed = ::flock(file, LOCK_EX | LOCK_NB) == 0 && is_file_of_name(file, name) &&
                          ::unlink(name.c_str()) == 0;
  ::close(file);
  return is_removed;
}

/// Gives a new file the usual name, else another one. `take` is false for names that are taken.
template <class Take>
bool take_name_beside(const std::filesystem::path& target, const Take& take) {
  const std::string usual = usual_name_beside(target);
  if (take(usual) || (remove_lost(usual) && take(usual))) return true;
  constexpr int kMostTries = 100;
  for (int i = 0; i < kMostTries; ++i)
    if (take(free_name_beside(target))) return true;
  return false;
}

/// Another descriptor of a file, which keeps its lock.
class KeptOpen {
 public:
  explicit KeptOpen(int file) : file_(::fcntl(file, F_DUPFD_CLOEXEC, 0)) {}
  KeptOpen(const KeptOpen&) = delete;
  KeptOpen& operator=(const KeptOpen&) = delete;
  ~KeptOpen() {
    if (file_ >= 0) ::close(file_);
  }

 private:
  int file_;
};

}  // namespace

ReplacedFile::ReplacedFile(std::filesystem::path target) : target_(std::move(target)) {
  check_target(target_);
  open_beside();
  buffer_.reserve(kBufferBytes);
}

void ReplacedFile::open_beside() {
  if (can_name_open_files())
    descriptor_ = ::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) return;
  // Not every file system can do that; what else is wrong shows here, too.
  if (!take_name_beside(target_, [&](const std::string& name) { return open_as(name); }))
    fail_to_write(target_);
}

bool ReplacedFile::open_as(std::string name) {
  descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0 && errno == EEXIST) return false;
  if (descriptor_ < 0) fail_to_write(target_);
  beside_ = std::move(name);
  (void)::flock(descriptor_, LOCK_EX);
  if (is_file_of_name(descriptor_, beside_)) return true;
  // Somebody took it for lost while it had no lock.
  ::close(std::exchange(descriptor_, -1));
  beside_.clear();
  return false;
}

ReplacedFile::~ReplacedFile() {
  // The name first: without the lock it may become that of another file.
  remove_beside();
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ReplacedFile::remove_beside() {
  if (!beside_.empty()) ::unlink(beside_.c_str());
  beside_.clear();
}

void ReplacedFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    write_through(buffer_);
    buffer_.clear();
  }
  if (bytes.size() > kBufferBytes) return write_through(bytes);
  buffer_ += bytes;
}

void ReplacedFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(target_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void ReplacedFile::give_name() {
  (void)::flock(descriptor_, LOCK_EX | LOCK_NB);
  if (!take_name_beside(target_, [&](const std::string& name) { return link_as(name); }))
    fail_to_write(target_);
}

bool ReplacedFile::link_as(std::string name) {
  const std::string open_file = fmt::format("/proc/self/fd/{}", descriptor_);
  if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    if (errno == EEXIST) return false;
    fail_to_write(target_);
  }
  beside_ = std::move(name);
  return true;
}

void ReplacedFile::flush() {
  write_through(buffer_);
  buffer_.clear();
}

void ReplacedFile::sync() {
  flush();
  // Not every file system can wait.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) fail_to_write(target_);
}

void ReplacedFile::commit_as(std::filesystem::path target) {
  target_ = std::move(target);
  commit();
}

void ReplacedFile::commit() {
  // The name must not get to the disk before the content: after a loss of power an empty file would
  // stand where the older one was.
  sync();
  if (beside_.empty()) give_name();
  const KeptOpen locked(descriptor_);
  const bool is_done = ::close(std::exchange(descriptor_, -1)) == 0 &&
                       std::rename(beside_.c_str(), target_.c_str()) == 0;
  const int error = errno;
  if (is_done) return beside_.clear();
  remove_beside();
  errno = error;
  fail_to_write(target_);
}

void replace_file(const std::filesystem::path& target, std::string_view bytes) {
  ReplacedFile file(target);
  file.write(bytes);
  file.commit();
}

}  // namespace jouletree
