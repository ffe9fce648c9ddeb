#include "base/duration_text.hpp"

#include <gtest/gtest.h>

#include "jouletree/error.hpp"

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

std::string problem_of(const char* text) {
  try {
    (void)duration_of_flag("--budget", text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

TEST(DurationOfFlag, AsksForTheUnit) {
  EXPECT_EQ(duration_of_flag("--budget", "10s"), 10s);
  EXPECT_EQ(duration_of_flag("--baseline", "0"), 0s);
  EXPECT_EQ(problem_of("10"), "--budget 10: say the unit, for example 10s or 2m");
  EXPECT_EQ(problem_of("1.5"), "--budget 1.5: say the unit, for example 1.5s or 2m");
}

TEST(DurationOfFlag, RefusesWhatIsNoTime) {
  for (const char* text : {"", "soon", "-1s", "10 s", "10min", "0x"}) {
    EXPECT_NE(problem_of(text).find("give a time like 500ms, 60s or 2m"), std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace jouletree
