#include "measure/memory_layout.hpp"

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

using Place = MemoryLayout::Place;

TEST(MemoryLayout, TakesTheGapThatFitsBest) {
  MemoryLayout layout;
  const Place large = layout.take(100);
  (void)layout.take(10);
  const Place small = layout.take(30);
  (void)layout.take(10);
  layout.give_back(large);
  layout.give_back(small);
  EXPECT_EQ(layout.take(25).begin, small.begin);
  EXPECT_EQ(layout.take(25).begin, large.begin);
  EXPECT_EQ(layout.bytes(), 150);
}

TEST(MemoryLayout, TheEndThatBecameFreeIsAGapToo) {
  MemoryLayout layout;
  (void)layout.take(10);
  const Place last = layout.take(50);
  layout.give_back(last);
  EXPECT_EQ(layout.take(50).begin, last.begin);
  EXPECT_EQ(layout.bytes(), 60);
}

TEST(MemoryLayout, GrowsWhereNothingFits) {
  MemoryLayout layout;
  const Place first = layout.take(10);
  (void)layout.take(10);
  layout.give_back(first);
  EXPECT_EQ(layout.take(11).begin, 20);
}

TEST(MemoryUse, TellsWhenMostOfAPlaceWasUsedLast) {
  MemoryUse use;
  use.touch({0, 100}, 1);
  use.touch({0, 30}, 2);
  EXPECT_EQ(use.last_use({0, 100}, 0), 1);
  EXPECT_EQ(use.last_use({0, 40}, 0), 2);
  EXPECT_EQ(use.last_use({10, 20}, 0), 2);
}

TEST(MemoryUse, ATouchInTheMiddleLeavesBothSides) {
  MemoryUse use;
  use.touch({0, 100}, 1);
  use.touch({40, 60}, 2);
  EXPECT_EQ(use.last_use({0, 40}, 0), 1);
  EXPECT_EQ(use.last_use({40, 60}, 0), 2);
  EXPECT_EQ(use.last_use({60, 100}, 0), 1);
}

TEST(MemoryUse, WhatWasNeverUsedIsOldest) {
  MemoryUse use;
  use.touch({0, 10}, 5);
  EXPECT_EQ(use.last_use({0, 100}, -1), -1);
  EXPECT_EQ(use.last_use({200, 300}, -1), -1);
}

}  // namespace
}  // namespace jouletree::measure
