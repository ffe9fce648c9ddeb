#include "base/name_distance.hpp"

#include <array>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(LikelyName, FindsWhatSomebodyMisspelled) {
  const std::array<std::string, 5> flags = {"-o", "--output", "--depth", "--precision", "--dim"};
  EXPECT_EQ(likely_name("--dept", flags), "--depth");
  EXPECT_EQ(likely_name("--precison", flags), "--precision");
  EXPECT_EQ(likely_name("-depth", flags), "--depth");
  EXPECT_EQ(likely_name("--out", flags), "--output") << "cut short";
  EXPECT_EQ(likely_name("--dpeth", flags), "--depth");
}

TEST(LikelyName, SuggestsNothingThatIsUnlikeIt) {
  const std::array<std::string, 3> names = {"-o", "inspect", "run"};
  EXPECT_EQ(likely_name("frobnicate", names), "");
  EXPECT_EQ(likely_name("-x", names), "");
  EXPECT_EQ(likely_name("", names), "");
}

}  // namespace
}  // namespace jouletree
