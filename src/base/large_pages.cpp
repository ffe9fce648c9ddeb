#include "base/large_pages.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <memory>

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
  void* first = ahead;
  std::size_t left = kAhead;
  std::align(kLargePage, kLargePage, first, left);
  // Where the system refuses, pages are small as ever.
  const bool large = ::madvise(first, left / kLargePage * kLargePage, MADV_HUGEPAGE) == 0;
  std::free(ahead);  // NOLINT(cppcoreguidelines-no-malloc)
  if (!large) return;
  // What lies before the first large page is never touched, and never given back.
  static void* before = nullptr;
  before = std::malloc(kAhead - left);  // NOLINT(cppcoreguidelines-no-malloc)
  static_cast<void>(before);
}

}  // namespace jouletree
