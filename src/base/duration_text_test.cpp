#include "base/duration_text.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

using namespace std::chrono_literals;

TEST(DurationTextTest, ReadsNumbersWithUnits) {
  EXPECT_EQ(parse_duration("500us"), 500us);
  EXPECT_EQ(parse_duration("100ms"), 100ms);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("2m"), 2min);
  EXPECT_EQ(parse_duration("1h"), 1h);
  EXPECT_EQ(parse_duration("0s"), 0s);
}

TEST(DurationTextTest, RefusesEverythingElse) {
  for (const char* text : {"", "100", "ms", "-1s", "1 s", "1S", "1d", "1s ", "nan", "nans", "infs",
                           "1e3s", "99999999999h"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

}  // namespace
}  // namespace jouletree
