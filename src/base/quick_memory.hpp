#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

namespace jouletree {

/// Memory for a program that lives for milliseconds: addresses that its threads share out among
/// themselves, one behind the other. They lie in large pages where the system has some: memory
/// would otherwise come page by page, each for more than a microsecond. Nothing goes back to the
/// system. Threads may take from it at once, but only after it was reserved.
class QuickRegion {
 public:
  /// Gets `bytes` of addresses; memory stands behind those that are used. False where the system
  /// refuses, and then there is never anything to take.
  bool reserve(std::size_t bytes);
  /// Puts memory behind the first `bytes` now, by a thread that nobody waits for: making a large
  /// page empty takes time.
  void fill_ahead(std::size_t bytes) const;

  /// So many bytes that nobody else has; empty where there are not as many left.
  [[nodiscard]] std::span<std::byte> take(std::size_t bytes);
  [[nodiscard]] bool is_reserved() const { return begin_ != nullptr; }
  [[nodiscard]] bool holds(const void* piece) const {
    const auto address = reinterpret_cast<std::uintptr_t>(piece);
    return address - reinterpret_cast<std::uintptr_t>(begin_) < bytes_;
  }

 private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
  std::atomic<std::size_t> taken_ = 0;
};

/// The pieces that a thread makes of such memory. Those given back wait, by size, for the next that
/// asks for as much; nothing is merged, so a piece costs a few instructions where malloc takes a
/// hundred, and it has no header. Not thread-safe: each thread has its own, and may be given what
/// another has taken.
class QuickMemory {
 public:
  constexpr explicit QuickMemory(QuickRegion& region) : region_(region) {}

  /// A piece, aligned for every standard type; null where it is too large or nothing is left.
  [[nodiscard]] void* take(std::size_t bytes) {
    const SizeClass wanted = class_of(bytes);
    if (wanted.index >= kClasses) return nullptr;
    if (Free* const free = free_[wanted.index]; free != nullptr) {
      free_[wanted.index] = free->next;
      return free;
    }
    if (static_cast<std::size_t>(end_ - at_) < wanted.bytes && !get_room(wanted.bytes))
      return nullptr;
    return std::exchange(at_, at_ + wanted.bytes);
  }
  /// Takes a piece of the region back; `bytes` as it was asked for.
  void give(void* piece, std::size_t bytes) {
    Free*& first = free_[class_of(bytes).index];
    first = ::new (piece) Free{first};
  }

 private:
  struct Free {
    Free* next;
  };
  struct SizeClass {
    std::size_t index;
    std::size_t bytes;
  };
  static constexpr std::size_t kAlignment = 16;
  static constexpr std::size_t kLargestSmall = 1024;
  static constexpr std::size_t kSmallClasses = kLargestSmall / kAlignment + 1;
  static constexpr int kFirstWidth = 11;  ///< Of the first number above those.
  static constexpr int kLastWidth = 24;
  static constexpr std::size_t kSteps = 4;
  static constexpr std::size_t kClasses =
      kSmallClasses + kSteps * static_cast<std::size_t>(kLastWidth - kFirstWidth + 1);

  /// Small pieces come in steps of the alignment, large ones in steps of a quarter.
  static SizeClass class_of(std::size_t bytes) {
    if (bytes <= kLargestSmall) {
      const std::size_t units = bytes == 0 ? 1 : (bytes + kAlignment - 1) / kAlignment;
      return {units, units * kAlignment};
    }
    const auto width = static_cast<int>(std::bit_width(bytes - 1));
    if (width > kLastWidth) return {kClasses, 0};
    const std::size_t power = std::size_t{1} << static_cast<unsigned>(width - 1);
    const std::size_t step = power / kSteps;
    const std::size_t steps = (bytes - power + step - 1) / step;
    return {kSmallClasses + kSteps * static_cast<std::size_t>(width - kFirstWidth) + steps - 1,
            power + steps * step};
  }

  bool get_room(std::size_t bytes);

  QuickRegion& region_;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::array<Free*, kClasses> free_ = {};
};

/// Those of the program, for its `new` and `delete` (src/cli/quick_new.cpp).
extern constinit QuickRegion quick_region;
extern constinit thread_local QuickMemory quick_memory;
/// Lets all threads use it from now on. Called while there is one.
void prefer_quick_memory();
/// To be told by whoever is about to need much of it: a thread puts memory behind the addresses.
/// Does nothing where nobody prefers quick memory.
void expect_much_memory();

}  // namespace jouletree
