#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace jouletree {

/// A stretch of memory for a program that lives for milliseconds. Pieces are handed out one behind
/// the other; those given back wait, by size, for the next that asks for as much. Nothing is merged
/// and nothing goes back to the system, so a piece costs a few instructions where malloc takes a
/// hundred, and it has no header. The stretch lies in large pages where the system has some: it
/// would otherwise come page by page, each for more than a microsecond. Not thread-safe.
class QuickMemory {
 public:
  /// Gets `bytes` of addresses; memory stands behind those that are used. False where the system
  /// refuses, and then there is never a piece. The memory is kept to the end of the program.
  bool reserve(std::size_t bytes);

  /// A piece, aligned for every standard type; null where it is too large or nothing is left.
  [[nodiscard]] void* take(std::size_t bytes) {
    const SizeClass wanted = class_of(bytes);
    if (wanted.index >= kClasses) return nullptr;
    if (Free* const free = free_[wanted.index]; free != nullptr) {
      free_[wanted.index] = free->next;
      return free;
    }
    if (static_cast<std::size_t>(end_ - at_) < wanted.bytes) return nullptr;
    return std::exchange(at_, at_ + wanted.bytes);
  }
  /// Takes a piece of ours back; `bytes` as it was asked for.
  void give(void* piece, std::size_t bytes) {
    Free*& first = free_[class_of(bytes).index];
    first = ::new (piece) Free{first};
  }
  [[nodiscard]] bool holds(const void* piece) const {
    const auto address = reinterpret_cast<std::uintptr_t>(piece);
    return address - reinterpret_cast<std::uintptr_t>(begin_) <
           static_cast<std::uintptr_t>(end_ - begin_);
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

  std::byte* begin_ = nullptr;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::array<Free*, kClasses> free_ = {};
};

/// That of the program, for its `new` and `delete` (src/cli/quick_new.cpp). Only the thread that
/// asked for it uses it: what other threads give back is kept unused.
extern constinit QuickMemory quick_memory;
/// Whether this thread does.
extern constinit thread_local bool has_quick_memory;
/// Lets this thread do so from now on.
void prefer_quick_memory();

}  // namespace jouletree
