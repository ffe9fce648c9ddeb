#include "base/message.hpp"

#include <iostream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jouletree {
namespace {

/// What is written to standard error while it lives.
class SaidText {
 public:
  SaidText() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  SaidText(const SaidText&) = delete;
  SaidText& operator=(const SaidText&) = delete;
  ~SaidText() { std::cerr.rdbuf(before_); }
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

TEST(Message, IsOneLineThatSteersNothing) {
  const SaidText said;
  say("the node '\x1b[2J\x1b]0;x\a\njouletree: all is well\r' is odd");
  EXPECT_EQ(said.text(), "jouletree: the node '?[2J?]0;x??jouletree: all is well?' is odd\n");
}

TEST(Message, LeavesOutTheMiddleOfAVeryLongText) {
  std::string text = "begin ";
  for (int i = 0; i < 1000000; ++i) text += "€";
  const std::string shown = message_text(text + " end");
  EXPECT_LE(shown.size(), 8200U);
  EXPECT_THAT(shown, testing::StartsWith("begin €"));
  EXPECT_THAT(shown, testing::HasSubstr("€…€"));
  EXPECT_THAT(shown, testing::EndsWith("€ end"));
}

TEST(Message, KeepsWhatPeopleWrite) {
  EXPECT_EQ(message_text("Modèle „größer“ · 模型 🙂"),
            "Modèle „größer“ · 模型 🙂");
  EXPECT_EQ(message_text("m\xe9.csv"), "m\xe9.csv");
}

}  // namespace
}  // namespace jouletree
