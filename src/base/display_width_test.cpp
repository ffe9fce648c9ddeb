#include "base/display_width.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("conv1"), 5U);
  EXPECT_EQ(display_width("≥ 1 µJ"), 6U);
  EXPECT_EQ(display_width("Größe"), 5U);
  EXPECT_EQ(display_width("▏▎▍"), 3U);
}

TEST(DisplayWidth, GivesWideLettersTwoColumns) {
  EXPECT_EQ(display_width("卷积"), 4U);
  EXPECT_EQ(display_width("モデル"), 6U);
  EXPECT_EQ(display_width("모델"), 4U);
  EXPECT_EQ(display_width("ｆｕｌｌ"), 8U);
  EXPECT_EQ(display_width("🙂"), 2U);
  EXPECT_EQ(display_width("ﾊﾝ"), 2U) << "half-width kana";
}

TEST(DisplayWidth, GivesMarksNoColumnOfTheirOwn) {
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("נָ"), 1U);
  EXPECT_EQ(display_width("a\u200Bb"), 2U) << "a space of no width";
  EXPECT_EQ(display_width("👩\u200D🔬"), 2U) << "two pictures that are drawn as one";
  EXPECT_EQ(display_width("👍🏽"), 2U) << "a picture with a skin colour";
  EXPECT_EQ(display_width("❤\uFE0F"), 2U) << "a letter that is drawn as a picture";
  EXPECT_EQ(display_width("🇫🇷"), 2U);
}

TEST(DisplayWidth, SurvivesWhatIsNoUtf8) {
  EXPECT_EQ(display_width("\xFF\xFE"), 2U);
  EXPECT_EQ(display_width("a\xE5\x8D"), 3U) << "cut in the middle of a letter";
  EXPECT_EQ(display_width("\x80"), 1U);
}

TEST(Printable, DoesNotLetANameSteerTheTerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a?[2Jb?");
  EXPECT_EQ(printable("a\xC2\x9B"
                      "2Jb"),
            "a?2Jb")
      << "the same as one letter of Unicode";
  EXPECT_EQ(printable("a\u202Eb"), "a?b") << "turns the direction of the text";
  EXPECT_EQ(printable("卷积 µ"), "卷积 µ");
}

TEST(ShortenedName, KeepsWhatFits) {
  EXPECT_EQ(shortened_name("layer1.0.conv1", 14), "layer1.0.conv1");
}

TEST(ShortenedName, KeepsMoreOfTheEnd) {
  EXPECT_EQ(shortened_name("encoder.layer.11.attention.self.query", 20), "encode…on.self.query");
}

TEST(ShortenedName, KeepsTheIndent) {
  EXPECT_EQ(shortened_name("    encoder.layer.11.attention", 15), "    enc…tention");
}

TEST(ShortenedName, NeverTakesMoreColumnsThanItMay) {
  for (const std::string text : {"卷积神经网络的注意力层", "encoder.layer.11",
                                 "  e\u0301e\u0301e\u0301e\u0301", "👩\u200D🔬👩\u200D🔬👩\u200D🔬"}) {
    for (std::size_t columns = 1; columns < 25; ++columns)
      EXPECT_LE(display_width(shortened_name(text, columns)), columns) << text << ' ' << columns;
  }
}

TEST(TakeWords, TakesWhatFitsButAtLeastOne) {
  std::string_view text = "one after theotherrrr end";
  EXPECT_EQ(take_words(text, 9), "one after");
  EXPECT_EQ(take_words(text, 9), "theotherrrr");
  EXPECT_EQ(take_words(text, 9), "end");
  EXPECT_TRUE(text.empty());
}

}  // namespace
}  // namespace jouletree
