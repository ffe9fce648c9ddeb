#include "meters/value_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <utility>

namespace jouletree::meters {

ValueFile::ValueFile(ValueFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_) {}

ValueFile::~ValueFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::nullopt_t ValueFile::fail(int error) {
  error_ = error;
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  return std::nullopt;
}

std::optional<std::int64_t> ValueFile::read() {
  if (descriptor_ < 0) descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) return fail(errno);
  std::array<char, 32> text{};
  const ssize_t size = ::pread(descriptor_, text.data(), text.size(), 0);
  if (size < 0) return fail(errno);
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + size, value);
  if (parsed.ec != std::errc()) return fail(0);
  return value;
}

GapReason ValueFile::why() const { return gap_reason_of(error_); }

GapReason gap_reason_of(int error) {
  switch (error) {
    case EACCES:
    case EPERM: return GapReason::Denied;
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ENOTDIR: return GapReason::Vanished;
    default: return GapReason::Failed;
  }
}

std::optional<std::string> read_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

std::optional<std::int64_t> read_number(const std::filesystem::path& path) {
  return ValueFile(path).read();
}

}  // namespace jouletree::meters
