#include "base/bounded_json.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/json_problem.hpp"

namespace jouletree {
namespace {

std::string nested_lists(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(BoundedJson, RefusesWhatIsNestedTooDeeplyToBeWrittenAgain) {
  EXPECT_FALSE(is_json_beyond_limits(nested_lists(kDeepestJson)));
  EXPECT_TRUE(is_json_beyond_limits(nested_lists(kDeepestJson + 1)));
  EXPECT_TRUE(parse_json_if_any<nlohmann::json>(nested_lists(1000000)).is_discarded());
  try {
    (void)parse_json<nlohmann::json>(nested_lists(1000000));
    FAIL() << "no problem";
  } catch (const nlohmann::json::exception& error) {
    EXPECT_EQ(json_problem(error), "it is nested too deeply, or an object has too many members");
  }
}

TEST(BoundedJson, BracketsInTextsAreLetters) {
  const std::string text = R"(["\"[[\\", "]"])";
  EXPECT_EQ(parse_json<nlohmann::json>(text)[1], "]");
  EXPECT_FALSE(is_json_beyond_limits('"' + std::string(10000, '[') + '"'));
  EXPECT_TRUE(is_json_beyond_limits(R"("\\")" + nested_lists(10000)));
}

TEST(BoundedJson, ManyShortListsAreNotDeep) {
  std::string text = "[";
  for (int i = 0; i < 10000; ++i) text += "[],";
  EXPECT_EQ(parse_json<nlohmann::json>(text + "[]]").size(), 10001U);
}

TEST(BoundedJson, AnObjectHasSoManyMembersOnly) {
  std::string text = "{";
  for (int i = 0; i < 20000; ++i) text += "\"" + std::to_string(i) + "\":{\"a\":1},";
  EXPECT_FALSE(is_json_beyond_limits(text + "}"));
  EXPECT_TRUE(is_json_beyond_limits(text + "\"b\":1}"));
}

TEST(BoundedJson, WhatIsNoJsonIsLeftToTheParser) {
  EXPECT_THROW((void)parse_json<nlohmann::json>("\"\\"), nlohmann::json::parse_error);
  EXPECT_TRUE(parse_json_if_any<nlohmann::json>("}}}").is_discarded());
}

}  // namespace
}  // namespace jouletree
