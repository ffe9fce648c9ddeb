#include "base/json_text.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

std::string json_text(std::string_view text) {
  std::string to = "x";
  append_json_text(to, text);
  return to.substr(1);
}

TEST(JsonText, PlainTextIsQuoted) {
  EXPECT_EQ(json_text("layer1.0/conv"), "\"layer1.0/conv\"");
  EXPECT_EQ(json_text(""), "\"\"");
}

TEST(JsonText, WhatHasAMeaningInJsonIsEscaped) {
  EXPECT_EQ(json_text("a\"b\\c\n\x01"), R"("a\"b\\c\n\u0001")");
}

TEST(JsonText, OtherAlphabetsStayAndBrokenBytesAreReplaced) {
  EXPECT_EQ(json_text("schön"), "\"schön\"");
  EXPECT_EQ(json_text("a\xff"
                      "b"),
            "\"a\xEF\xBF\xBD"
            "b\"");
}

}  // namespace
}  // namespace jouletree
