#include "base/quick_memory.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

constexpr std::size_t kRegion = std::size_t{64} << 20U;

TEST(QuickMemory, HasNothingBeforeItIsReserved) {
  QuickRegion region;
  QuickMemory memory(region);
  EXPECT_EQ(memory.take(1), nullptr);
  int other = 0;
  EXPECT_FALSE(region.is_reserved());
  EXPECT_FALSE(region.holds(&other));
  EXPECT_FALSE(region.holds(nullptr));
}

TEST(QuickMemory, PiecesAreAlignedAndDoNotOverlap) {
  QuickRegion region;
  QuickMemory memory(region);
  ASSERT_TRUE(region.reserve(kRegion));
  std::map<char*, std::size_t> pieces;
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t bytes = random() % (i % 10 == 0 ? 100'000 : 1500);
    auto* const piece = static_cast<char*>(memory.take(bytes));
    ASSERT_NE(piece, nullptr) << bytes;
    ASSERT_TRUE(region.holds(piece));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % 16, 0U);
    std::memset(piece, 1, bytes);
    const auto next = pieces.lower_bound(piece);
    if (next != pieces.end()) {
      EXPECT_LE(piece + bytes, next->first);
    }
    if (next != pieces.begin()) {
      EXPECT_LE(std::prev(next)->first + std::prev(next)->second, piece);
    }
    pieces.emplace(piece, bytes);
    if (i % 3 == 0) {
      memory.give(pieces.begin()->first, pieces.begin()->second);
      pieces.erase(pieces.begin());
    }
  }
}

TEST(QuickMemory, WhatIsGivenBackServesThoseWhoAskForAsMuch) {
  QuickRegion region;
  QuickMemory memory(region);
  ASSERT_TRUE(region.reserve(kRegion));
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{16}, std::size_t{40},
                                  std::size_t{1024}, std::size_t{1025}, std::size_t{5000}}) {
    void* const piece = memory.take(bytes);
    memory.give(piece, bytes);
    EXPECT_EQ(memory.take(bytes), piece) << bytes;
    EXPECT_NE(memory.take(bytes), piece) << bytes;
  }
}

TEST(QuickMemory, RefusesWhatIsTooLargeAndWhatIsBeyondItsEnd) {
  QuickRegion region;
  QuickMemory memory(region);
  ASSERT_TRUE(region.reserve(std::size_t{4} << 20U));
  EXPECT_EQ(memory.take(std::size_t{1} << 40U), nullptr);
  EXPECT_EQ(memory.take(std::size_t{5} << 20U), nullptr);
  void* const first = memory.take(std::size_t{3} << 20U);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(memory.take(std::size_t{3} << 20U), nullptr);
  EXPECT_NE(memory.take(1000), nullptr);
  memory.give(first, std::size_t{3} << 20U);
  EXPECT_EQ(memory.take(std::size_t{3} << 20U), first);
}

TEST(QuickMemory, ThreadsShareARegionWithoutOverlap) {
  QuickRegion region;
  ASSERT_TRUE(region.reserve(kRegion));
  region.fill_ahead(kRegion / 2);
  const auto fill = [&region](char letter, std::vector<std::span<char>>& pieces) {
    QuickMemory memory(region);
    for (std::size_t bytes = 1; bytes < 3000; ++bytes) {
      auto* const piece = static_cast<char*>(memory.take(bytes));
      ASSERT_NE(piece, nullptr);
      pieces.emplace_back(piece, bytes);
      std::memset(piece, letter, bytes);
    }
  };
  std::vector<std::span<char>> mine;
  std::vector<std::span<char>> theirs;
  std::thread other(fill, 'b', std::ref(theirs));
  fill('a', mine);
  other.join();
  const auto holds_only = [](std::span<const char> piece, char letter) {
    return std::ranges::all_of(piece, [&](char found) { return found == letter; });
  };
  for (const auto& piece : mine) ASSERT_TRUE(holds_only(piece, 'a'));
  for (const auto& piece : theirs) ASSERT_TRUE(holds_only(piece, 'b'));
}

TEST(QuickMemory, AThreadMayBeGivenWhatAnotherTook) {
  QuickRegion region;
  ASSERT_TRUE(region.reserve(kRegion));
  QuickMemory memory(region);
  QuickMemory other(region);
  void* const piece = memory.take(100);
  other.give(piece, 100);
  EXPECT_NE(memory.take(100), piece);
  EXPECT_EQ(other.take(100), piece);
}

}  // namespace
}  // namespace jouletree
