#include "meters/lateness.hpp"

#include <gtest/gtest.h>

namespace jouletree::meters {
namespace {

using std::chrono::nanoseconds;

TEST(LatenessTest, FindsQuantilesToSixPerCent) {
  Lateness lateness;
  for (int i = 1; i <= 10000; ++i) lateness.add(nanoseconds(i * 100));
  EXPECT_NEAR(static_cast<double>(lateness.quantile(0.5).count()), 500'000, 35'000);
  EXPECT_NEAR(static_cast<double>(lateness.quantile(0.99).count()), 990'000, 65'000);
  EXPECT_EQ(lateness.worst(), nanoseconds(1'000'000));
  EXPECT_EQ(lateness.quantile(1), nanoseconds(1'000'000));
}

TEST(LatenessTest, IsZeroWithoutTicksAndForEarlyOnes) {
  Lateness lateness;
  EXPECT_EQ(lateness.quantile(0.99), nanoseconds(0));
  lateness.add(nanoseconds(-5));
  EXPECT_EQ(lateness.quantile(0.99), nanoseconds(0));
}

TEST(LatenessTest, HoldsAnyValue) {
  Lateness lateness;
  lateness.add(nanoseconds::max());
  EXPECT_EQ(lateness.quantile(0.5), nanoseconds::max());
}

}  // namespace
}  // namespace jouletree::meters
