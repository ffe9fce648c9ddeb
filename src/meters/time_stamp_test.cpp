#include "meters/time_stamp.hpp"

#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

const WallTime kToday{seconds(1'714'564'800)};  // 2024-05-01T12:00:00Z
constexpr seconds kNoon{1'714'564'800};

/// Local time of the tests, whatever the machine has.
class TimeStamp : public testing::Test {
 protected:
  TimeStamp() {
    ::setenv("TZ", "XYZ-2", 1);  // two hours east
    ::tzset();
  }
  ~TimeStamp() override {
    ::unsetenv("TZ");
    ::tzset();
  }
  TimeStamp(const TimeStamp&) = delete;
  TimeStamp& operator=(const TimeStamp&) = delete;
};

nanoseconds time_of(const char* text) {
  const auto stamp = parse_stamp(text, kToday);
  EXPECT_TRUE(stamp) << text;
  return stamp ? stamp->time : nanoseconds{};
}

TEST_F(TimeStamp, UnderstandsNumbersSince1970InAllUnits) {
  EXPECT_EQ(time_of("1714564800"), kNoon);
  EXPECT_EQ(time_of("1714564800.250"), kNoon + milliseconds(250));
  EXPECT_EQ(time_of("1714564800250"), kNoon + milliseconds(250));
  EXPECT_EQ(time_of("1714564800250000"), kNoon + milliseconds(250));
  EXPECT_EQ(time_of("1714564800250000000"), kNoon + milliseconds(250));
}

TEST_F(TimeStamp, TakesSmallNumbersForSecondsSinceABeginning) {
  const auto stamp = parse_stamp("12.5", kToday);
  ASSERT_TRUE(stamp);
  EXPECT_TRUE(stamp->relative);
  EXPECT_EQ(stamp->time, milliseconds(12'500));
}

TEST_F(TimeStamp, UnderstandsIsoDates) {
  EXPECT_EQ(time_of("2024-05-01T12:00:00Z"), kNoon);
  EXPECT_EQ(time_of("2024-05-01T12:00:00.125Z"), kNoon + milliseconds(125));
  EXPECT_EQ(time_of("2024-05-01T14:30:00+02:30"), kNoon);
  EXPECT_EQ(time_of("2024-05-01T07:00:00-0500"), kNoon);
  EXPECT_EQ(time_of("\"2024-05-01 12:00:00+00\""), kNoon);
}

TEST_F(TimeStamp, TakesTimesWithoutAZoneForLocal) {
  EXPECT_EQ(time_of("2024-05-01 14:00:00"), kNoon);
  EXPECT_EQ(time_of("2024-05-01 14:00:00,5"), kNoon + milliseconds(500));
  EXPECT_EQ(time_of("01/05/2024 14:00:00"), kNoon);
  EXPECT_EQ(time_of("1.5.2024 14:00"), kNoon);
  EXPECT_EQ(time_of("05/31/2024 14:00:00"), kNoon + std::chrono::hours(30 * 24));
  EXPECT_EQ(time_of("14:00:00.5"), kNoon + milliseconds(500));
}

TEST_F(TimeStamp, RefusesEverythingElse) {
  for (const char* bad :
       {"", "noon", "2024-13-01T12:00:00Z", "2024-05-01", "2024-05-01T25:00:00Z", "12:61",
        "2024-05-01T12:00:00Q", "nan", "inf", "1e999", "90000000000", "-9223372036854775807"}) {
    EXPECT_FALSE(parse_stamp(bad, kToday)) << bad;
  }
}

}  // namespace
}  // namespace jouletree::meters
