#include "base/bounded_json.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/json_problem.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::json;

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(BoundedJson, RefusesWhatIsNestedTooDeeplyToBeWrittenAgain) {
  EXPECT_FALSE(is_json_beyond_limits(nested(kDeepestJson)));
  EXPECT_TRUE(is_json_beyond_limits(nested(kDeepestJson + 1)));
  EXPECT_TRUE(parse_json_if_any<Json>(nested(1000000)).is_discarded());
  try {
    (void)parse_json<Json>(nested(1000000));
    FAIL() << "no problem";
  } catch (const Json::exception& error) {
    EXPECT_EQ(json_problem(error), "it is nested too deeply, or an object has too many members");
  }
}

TEST(BoundedJson, BracketsInTextsAreLetters) {
  const std::string text = R"(["\"[[\\", "]"])";
  EXPECT_EQ(parse_json<Json>(text)[1], "]");
  EXPECT_FALSE(is_json_beyond_limits('"' + std::string(10000, '[') + '"'));
  EXPECT_TRUE(is_json_beyond_limits(R"("\\")" + nested(10000)));
}

TEST(BoundedJson, ManyShortListsAreNotDeep) {
  std::string text = "[";
  for (int i = 0; i < 10000; ++i) text += "[],";
  EXPECT_EQ(parse_json<Json>(text + "[]]").size(), 10001U);
}

TEST(BoundedJson, AnObjectHasSoManyMembersOnly) {
  std::string text = "{";
  for (int i = 0; i < 20000; ++i) text += "\"" + std::to_string(i) + "\":{\"a\":1},";
  EXPECT_FALSE(is_json_beyond_limits(text + "}"));
  EXPECT_TRUE(is_json_beyond_limits(text + "\"b\":1}"));
}

TEST(BoundedJson, WhatIsNoJsonIsLeftToTheParser) {
  EXPECT_THROW((void)parse_json<Json>("\"\\"), Json::parse_error);
  EXPECT_TRUE(parse_json_if_any<Json>("}}}").is_discarded());
}

}  // namespace
}  // namespace jouletree
