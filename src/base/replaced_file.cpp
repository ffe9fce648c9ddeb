#include "base/replaced_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
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
  if (!target.has_filename()) fail(target, "is no file name; name the file to write");
  struct stat status = {};
  if (::stat(target.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) fail(target, "is a directory; name the file to write in it");
  if (!S_ISREG(status.st_mode)) fail(target, "is not a regular file and cannot be replaced");
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
  beside_ = target_.string() + ".XXXXXX";
  descriptor_ = ::mkstemp(beside_.data());
  if (descriptor_ < 0) fail_to_write(target_);
  ::fchmod(descriptor_, default_mode());
  buffer_.reserve(kBufferBytes);
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

void ReplacedFile::commit() {
  write_through(buffer_);
  buffer_.clear();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(target_);
  if (std::rename(beside_.c_str(), target_.c_str()) != 0) fail_to_write(target_);
  beside_.clear();
}

}  // namespace jouletree
