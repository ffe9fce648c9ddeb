#include "base/number_of.hpp"

#include <gtest/gtest.h>

namespace jouletree::test {
namespace {

TEST(NumberOf, OneIsSingularAndAllOthersPlural) {
  EXPECT_EQ(number_of(1, "run"), "1 run");
  EXPECT_EQ(number_of(0, "run"), "0 runs");
  EXPECT_EQ(number_of(2, "run"), "2 runs");
  EXPECT_EQ(number_of(std::size_t{24597}, "node"), "24,597 nodes");
}

TEST(NumberOf, TakesThePluralOfNounsThatDoNotJustTakeAnS) {
  EXPECT_EQ(number_of(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(number_of(3, "entry", "entries"), "3 entries");
}

TEST(NumberOf, WordsAgreeWithTheCount) {
  EXPECT_EQ(agreeing(1, "is", "are"), "is");
  EXPECT_EQ(agreeing(0, "is", "are"), "are");
  EXPECT_EQ(agreeing(std::size_t{2}, "is", "are"), "are");
}

}  // namespace
}  // namespace jouletree::test
