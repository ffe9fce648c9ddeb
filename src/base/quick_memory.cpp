#include "base/quick_memory.hpp"

#include <sys/mman.h>

#include <memory>

namespace jouletree {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20U;
/// More than nearly all models need. What is not touched costs nothing.
constexpr std::size_t kQuickBytes = std::size_t{256} << 20U;

}  // namespace

bool QuickMemory::reserve(std::size_t bytes) {
  const std::size_t mapped = bytes + kLargePage;
  void* const region = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return false;
  void* aligned = region;
  std::size_t room = mapped;
  at_ = begin_ = static_cast<std::byte*>(std::align(kLargePage, bytes, aligned, room));
  end_ = begin_ + bytes;
  // Where the system refuses, pages are small as ever.
  static_cast<void>(::madvise(begin_, bytes, MADV_HUGEPAGE));
  return true;
}

constinit QuickMemory quick_memory;
constinit thread_local bool has_quick_memory = false;

void prefer_quick_memory() { has_quick_memory = quick_memory.reserve(kQuickBytes); }

}  // namespace jouletree
