#include "base/json_text.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

std::string json_text(std::string_view text) {
  std::string to = "x";
  append_json_text(to, text);
  TextBuffer buffer;
  buffer.make_room(longest_json_text(text));
  add_json_text(buffer, text);
  EXPECT_EQ(to.substr(1), buffer.text());
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

TEST(JsonText, EveryLetterIsLookedAtWhereverItStands) {
  for (int letter = 0; letter < 128; ++letter) {
    const bool stands_for_itself = letter >= ' ' && letter != '"' && letter != '\\';
    for (std::size_t length = 1; length < 20; ++length) {
      for (std::size_t at = 0; at < length; ++at) {
        std::string text(length, 'a');
        text[at] = static_cast<char>(letter);
        EXPECT_EQ(json_text(text) == '"' + text + '"', stands_for_itself)
            << letter << " at " << at << " of " << length;
      }
    }
  }
}

}  // namespace
}  // namespace jouletree
