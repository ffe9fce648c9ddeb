#include "base/text_index.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(TextIndex, FindsWhatWasAdded) {
  TextIndex index;
  EXPECT_EQ(index.find("a"), nullptr);
  EXPECT_TRUE(index.add("a", 1).second);
  EXPECT_TRUE(index.add("", 2).second);
  const auto [number, added] = index.add("a", 3);
  EXPECT_FALSE(added);
  EXPECT_EQ(*number, 1U);
  *number = 4;
  ASSERT_NE(index.find("a"), nullptr);
  EXPECT_EQ(*index.find("a"), 4U);
  ASSERT_NE(index.find(""), nullptr);
  EXPECT_EQ(*index.find(""), 2U);
  EXPECT_EQ(index.find("b"), nullptr);
}

TEST(TextIndex, TellsNamesApartThatAreMuchAlike) {
  std::map<std::string, std::uint32_t> names;
  for (std::uint32_t i = 0; i < 5000; ++i)
    names["/features/features." + std::to_string(i) + "/attn/Constant_output_0"] = i;
  for (const bool reserved : {false, true}) {
    TextIndex index;
    if (reserved) index.reserve(names.size());
    for (const auto& [name, number] : names) EXPECT_TRUE(index.add(name, number).second);
    for (const auto& [name, number] : names) {
      ASSERT_NE(index.find(name), nullptr) << name;
      EXPECT_EQ(*index.find(name), number);
      EXPECT_EQ(index.find(name + "0"), nullptr);
    }
  }
}

}  // namespace
}  // namespace jouletree
