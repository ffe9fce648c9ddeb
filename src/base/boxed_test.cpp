#include "jouletree/boxed.hpp"

#include <string>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(Boxed, TakesTheRoomOfAPointer) { EXPECT_EQ(sizeof(Boxed<std::string>), sizeof(void*)); }

TEST(Boxed, MayHoldNothing) {
  Boxed<std::string> box;
  EXPECT_FALSE(box);
  EXPECT_FALSE(box.has_value());
  EXPECT_EQ(box, Boxed<std::string>(std::nullopt));
  box.emplace() = "a";
  EXPECT_TRUE(box);
  EXPECT_EQ(box->size(), 1U);
  box.reset();
  EXPECT_FALSE(box);
}

TEST(Boxed, IsCopiedAndComparedAsItsValue) {
  Boxed<std::string> first = std::string("a");
  Boxed<std::string> second = first;
  EXPECT_EQ(first, second);
  *second = "b";
  EXPECT_EQ(*first, "a");
  EXPECT_NE(first, second);
  first = second;
  EXPECT_EQ(*first, "b");
  const Boxed<std::string>& same = first;
  first = same;
  EXPECT_EQ(*first, "b");
  second = Boxed<std::string>();
  EXPECT_NE(first, second);
  const Boxed<std::string> moved = std::move(first);
  EXPECT_EQ(*moved, "b");
}

}  // namespace
}  // namespace jouletree
