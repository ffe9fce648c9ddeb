#include "base/quick_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <memory>

#include "base/other_core.hpp"

namespace jouletree {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20U;
/// More than nearly all models need. What is not touched costs nothing.
constexpr std::size_t kQuickBytes = std::size_t{256} << 20U;
/// What models of some thousand operators need.
constexpr std::size_t kFilledAhead = 4 * kLargePage;
/// What a thread takes at a time: threads share large pages, so that few are needed.
constexpr std::size_t kStretch = std::size_t{128} << 10U;

/// Lets the system put memory behind an address. Whoever the address belongs to may be writing
/// there at the same time: the processor adds nothing in one step, so that nothing is lost. The
/// language has no such step, which is why the thread sanitizer does not look here.
[[gnu::no_sanitize("thread")]] void touch(std::byte* place) {
  __atomic_fetch_or(reinterpret_cast<unsigned char*>(place), 0, __ATOMIC_RELAXED);
}

}  // namespace

bool QuickRegion::reserve(std::size_t bytes) {
  const std::size_t mapped = bytes + kLargePage;
  void* const region = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return false;
  void* aligned = region;
  std::size_t room = mapped;
  begin_ = static_cast<std::byte*>(std::align(kLargePage, bytes, aligned, room));
  bytes_ = bytes;
  // Where the system refuses, pages are small as ever.
  static_cast<void>(::madvise(begin_, bytes, MADV_HUGEPAGE));
  return true;
}

void QuickRegion::fill_ahead(std::size_t bytes) const {
  if (!is_reserved()) return;
  // One call for all of it would let nobody map a file until it is done.
  do_on_other_core([begin = begin_, bytes = std::min(bytes, bytes_)] {
    // The first page was needed before this begins.
    for (std::size_t at = kLargePage; at < bytes; at += kLargePage) touch(begin + at);
  });
}

std::span<std::byte> QuickRegion::take(std::size_t bytes) {
  std::size_t at = taken_.load(std::memory_order_relaxed);
  do {
    if (bytes > bytes_ - at) return {};
  } while (!taken_.compare_exchange_weak(at, at + bytes, std::memory_order_relaxed));
  return {begin_ + at, bytes};
}

bool QuickMemory::get_room(std::size_t bytes) {
  const std::size_t stretches = (bytes + kStretch - 1) / kStretch;
  const std::span<std::byte> room = region_.take(stretches * kStretch);
  if (room.empty()) return false;
  // What is left is not lost where nobody else took what follows.
  if (room.data() != end_) at_ = room.data();
  end_ = room.data() + room.size();
  return true;
}

constinit QuickRegion quick_region;
constinit thread_local QuickMemory quick_memory(quick_region);

void prefer_quick_memory() { quick_region.reserve(kQuickBytes); }
void expect_much_memory() { quick_region.fill_ahead(kFilledAhead); }

}  // namespace jouletree
