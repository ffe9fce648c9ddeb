#include "base/replaced_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
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

/// A name that nobody has, beside the target: random, because numbers of processes come again, in
/// containers at once.
std::string name_beside(const std::filesystem::path& target) {
  std::random_device random;
  return (folder_of(target) / fmt::format(".jouletree-{:08x}", random())).string();
}

/// Temporary files are made private; the result should be as any other new file.
mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

}  // namespace

ReplacedFile::ReplacedFile(std::filesystem::path target) : target_(std::move(target)) {
  check_target(target_);
  open_beside();
  buffer_.reserve(kBufferBytes);
}

void ReplacedFile::open_beside() {
  const std::filesystem::path folder = folder_of(target_);
  if (can_name_open_files())
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) return;
  // Not every file system can do that; what else is wrong shows here, too.
  beside_ = (folder / ".jouletree-XXXXXX").string();
  descriptor_ = ::mkostemp(beside_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    beside_.clear();
    fail_to_write(target_);
  }
  ::fchmod(descriptor_, default_mode());
}

ReplacedFile::~ReplacedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
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
  const std::string open_file = fmt::format("/proc/self/fd/{}", descriptor_);
  constexpr int kMostTries = 100;
  for (int i = 0; i < kMostTries; ++i) {
    beside_ = name_beside(target_);
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, beside_.c_str(), AT_SYMLINK_FOLLOW) == 0)
      return;
    if (errno != EEXIST) break;
  }
  beside_.clear();
  fail_to_write(target_);
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
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(target_);
  if (std::rename(beside_.c_str(), target_.c_str()) != 0) fail_to_write(target_);
  beside_.clear();
}

void replace_file(const std::filesystem::path& target, std::string_view bytes) {
  ReplacedFile file(target);
  file.write(bytes);
  file.commit();
}

}  // namespace jouletree
