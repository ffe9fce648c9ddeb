#include "cli/expanded_braces.hpp"

#include <gmock/gmock.h>

namespace jouletree::cli {
namespace {

using testing::ElementsAre;

TEST(ExpandedBraces, BecomeOnePatternAgain) {
  EXPECT_THAT(with_braces_again({"input=1x3x8x{=}", "input=1x3x32x{=}", "input=1x3x64x{=}"}),
              ElementsAre("input=1x3x{8,32,64}x{=}"));
  EXPECT_THAT(with_braces_again({"x=1x8", "x=1x16", "x=2x8", "x=2x16"}),
              ElementsAre("x={1,2}x{8,16}"));
}

TEST(ExpandedBraces, OfSeveralInputsStayApart) {
  EXPECT_THAT(with_braces_again({"ids=1x8", "ids=1x16", "mask=1x{=}"}),
              ElementsAre("ids=1x{8,16}", "mask=1x{=}"));
}

TEST(ExpandedBraces, OtherWordsStayAsTheyAre) {
  EXPECT_THAT(with_braces_again({"input=1x3x{8,32}x{=}"}), ElementsAre("input=1x3x{8,32}x{=}"));
  EXPECT_THAT(with_braces_again({"x=1x8", "x=2x16"}), ElementsAre("x=1x8", "x=2x16"))
      << "not all combinations: somebody wrote them so";
  EXPECT_THAT(with_braces_again({"nonsense", "nonsense"}), ElementsAre("nonsense", "nonsense"));
  EXPECT_THAT(with_braces_again({}), ElementsAre());
}

}  // namespace
}  // namespace jouletree::cli
