#include "meters/line_follower.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "meters/value_file.hpp"

namespace jouletree::meters {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

}  // namespace

LineFollower::LineFollower(std::filesystem::path path) : path_(std::move(path)) {
  constexpr std::size_t kUsualLines = 8192;
  buffer_.reserve(kUsualLines);
}

LineFollower::~LineFollower() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<std::string_view> LineFollower::next() {
  for (;;) {
    const auto end = buffer_.find('\n', std::max(used_, searched_));
    if (end != std::string::npos) {
      const std::string_view line(buffer_.data() + used_, end - used_);
      used_ = end + 1;
      ++line_number_;
      return line;
    }
    searched_ = buffer_.size();
    // No meter writes such a line; what is left of it cannot be understood, either.
    if (searched_ - used_ > kLongestLine) used_ = searched_;
    if (!fill()) return std::nullopt;
  }
}

std::string_view LineFollower::rest() const { return std::string_view(buffer_).substr(used_); }

bool LineFollower::fill() {
  trouble_ = GapReason::None;
  if (descriptor_ < 0) descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    trouble_ = gap_reason_of(errno);
    return false;
  }
  struct stat status {};
  ::fstat(descriptor_, &status);
  if (status.st_nlink == 0 || status.st_size < offset_) {
    // Removed, replaced or cut: from the next call on, what stands at the path now.
    trouble_ = status.st_nlink == 0 ? GapReason::Vanished : GapReason::Reset;
    ::close(descriptor_);
    descriptor_ = -1;
    offset_ = 0;
    buffer_.clear();
    used_ = searched_ = 0;
    return false;
  }
  buffer_.erase(0, used_);
  used_ = 0;
  searched_ = buffer_.size();  // It was searched before it was filled.
  std::array<char, 4096> piece{};
  const ssize_t size = ::pread(descriptor_, piece.data(), piece.size(), offset_);
  if (size < 0) trouble_ = gap_reason_of(errno);
  if (size <= 0) return false;
  offset_ += size;
  buffer_.append(piece.data(), static_cast<std::size_t>(size));
  return true;
}

}  // namespace jouletree::meters
