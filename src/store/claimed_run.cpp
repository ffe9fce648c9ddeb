#include "store/claimed_run.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClaimPrefix = ".jouletree-run-";

fs::path claim_file(const fs::path& folder, int number) {
  return folder / fmt::format("{}{}", kClaimPrefix, number);
}

std::optional<int> number_of_claim(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.starts_with(kClaimPrefix)) return std::nullopt;
  const char* const end = name.data() + name.size();
  int number = 0;
  const auto read = std::from_chars(name.data() + kClaimPrefix.size(), end, number);
  if (read.ec != std::errc{} || read.ptr != end || number < 1) return std::nullopt;
  return number;
}

/// Somebody holds the lock of the file.
bool is_held(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool is_free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  const bool is_held = !is_free && errno == EWOULDBLOCK;
  ::close(descriptor);
  return is_held;
}

}  // namespace

ClaimedRun::ClaimedRun(const fs::path& folder, int number)
    : file_(claim_file(folder, number)),
      descriptor_(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX | LOCK_NB);
}

ClaimedRun::~ClaimedRun() {
  if (descriptor_ < 0) return;
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

std::set<int> claimed_runs(const fs::path& folder) {
  std::set<int> numbers;
  std::error_code end;
  for (fs::directory_iterator entry(folder, end); !end && entry != fs::directory_iterator();
       entry.increment(end)) {
    const std::optional<int> number = number_of_claim(entry->path());
    if (!number) continue;
    if (is_held(entry->path())) {
      numbers.insert(*number);
    } else {
      ::unlink(entry->path().c_str());
    }
  }
  return numbers;
}

}  // namespace jouletree::store
