#include "base/large_pages.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace jouletree {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20U;
/// As much as nearly all models need. Pages that nobody touches cost nothing.
constexpr std::size_t kAhead = 12 * kLargePage;

}  // namespace

void prefer_large_pages() {
  // The heap is to grow now and at once, and not to shrink when the memory is given back.
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(16 * kLargePage));
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(128 * kLargePage));
  void* const ahead = std::malloc(kAhead);  // NOLINT(cppcoreguidelines-no-malloc)
  if (ahead == nullptr) return;
  const auto start = reinterpret_cast<std::uintptr_t>(ahead);
  const std::uintptr_t first = (start + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t last = (start + kAhead) / kLargePage * kLargePage;
  std::free(ahead);  // NOLINT(cppcoreguidelines-no-malloc)
  // Where the system refuses, pages are small as ever.
  if (::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE) != 0) return;
  // What lies before the first large page is never touched, and never given back.
  static void* before = nullptr;
  before = std::malloc(first - start);  // NOLINT(cppcoreguidelines-no-malloc)
  static_cast<void>(before);
}

}  // namespace jouletree
