#include "store/calendar.hpp"

#include <gmock/gmock.h>

namespace jouletree::store {
namespace {

TEST(Calendar, ReadsWhatItWrites) {
  const WallTime time(std::chrono::microseconds(1709312709250001));
  EXPECT_EQ(parse_date(date_text(time)), time);
  EXPECT_THAT(date_text(time), ::testing::HasSubstr(".250001"));
}

TEST(Calendar, ReadsDatesOfPython) {
  const auto with_zone = parse_date("2024-03-01 17:05:09.250000+01:00");
  const auto utc = parse_date("2024-03-01T16:05:09.25Z");
  ASSERT_TRUE(with_zone);
  EXPECT_EQ(with_zone, utc);
  EXPECT_TRUE(parse_date("2021-11-18 10:11:12"));
}

TEST(Calendar, RefusesWhatIsNoDate) {
  EXPECT_FALSE(parse_date(""));
  EXPECT_FALSE(parse_date("yesterday"));
  EXPECT_FALSE(parse_date("12.5"));
}

}  // namespace
}  // namespace jouletree::store
