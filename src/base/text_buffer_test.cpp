#include "base/text_buffer.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(TextBuffer, PutsPartsTogether) {
  TextBuffer buffer;
  EXPECT_EQ(buffer.text(), "");
  buffer.make_room(100);
  buffer.add("macs: ");
  buffer.add(std::int64_t{4089});
  buffer.add(';');
  EXPECT_EQ(buffer.text(), "macs: 4089;");
  buffer.clear();
  EXPECT_EQ(buffer.size(), 0U);
}

TEST(TextBuffer, GrowsWithoutLosingAnything) {
  TextBuffer buffer;
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    buffer.make_room(4);
    buffer.add("abcd");
    expected += "abcd";
  }
  EXPECT_EQ(buffer.text(), expected);
}

TEST(TextBuffer, HasRoomForTheLongestNumbers) {
  TextBuffer buffer;
  buffer.make_room(2 * TextBuffer::kLongestInteger);
  buffer.add(std::numeric_limits<std::int64_t>::min());
  buffer.add(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(buffer.text(), "-92233720368547758089223372036854775807");
}

}  // namespace
}  // namespace jouletree
