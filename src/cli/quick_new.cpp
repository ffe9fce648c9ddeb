// `new` and `delete` of the program: as ever, but for commands that asked for quick memory. Linked
// into the program alone; those who use the library keep theirs.

#include <cstdlib>
#include <new>

#include "base/quick_memory.hpp"

// NOLINTBEGIN(cppcoreguidelines-no-malloc): this is where memory comes from.
namespace {

using jouletree::quick_memory;
using jouletree::quick_region;

void* take_memory(std::size_t bytes) {
  while (true) {
    if (void* const piece = std::malloc(bytes == 0 ? 1 : bytes)) return piece;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void give_back(void* piece, std::size_t bytes) {
  if (!quick_region.holds(piece)) return std::free(piece);
  quick_memory.give(piece, bytes);
}

/// Without its size, a quick piece cannot be used again.
void give_back(void* piece) {
  if (!quick_region.holds(piece)) std::free(piece);
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (quick_region.is_reserved())
    if (void* const piece = quick_memory.take(bytes)) return piece;
  return take_memory(bytes);
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* piece, std::size_t bytes) noexcept { give_back(piece, bytes); }
void operator delete[](void* piece, std::size_t bytes) noexcept { give_back(piece, bytes); }
void operator delete(void* piece) noexcept { give_back(piece); }
void operator delete[](void* piece) noexcept { give_back(piece); }
// NOLINTEND(cppcoreguidelines-no-malloc)
