#include "base/number_format.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(NumberFormat, SeparatesThousands) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(25557032), "25,557,032");
  EXPECT_EQ(with_separators(-1234), "-1,234");
}

TEST(NumberFormat, ShortensToThreeDigits) {
  EXPECT_EQ(shortened(0), "0");
  EXPECT_EQ(shortened(999), "999");
  EXPECT_EQ(shortened(1000), "1.00 k");
  EXPECT_EQ(shortened(4089184256.0), "4.09 G");
  EXPECT_EQ(shortened(17563828224.0), "17.6 G");
}

TEST(NumberFormat, NeverPrintsAThousandOfTheSmallerUnit) {
  EXPECT_EQ(shortened(999600), "1.00 M");
  EXPECT_EQ(shortened_bytes(1024.0 * 1023.7), "1.00 MiB");
}

TEST(NumberFormat, ShortensBytesInPowersOf1024) {
  EXPECT_EQ(shortened_bytes(812), "812 B");
  EXPECT_EQ(shortened_bytes(1536), "1.50 KiB");
  EXPECT_EQ(shortened_bytes(102488057), "97.7 MiB");
}

TEST(NumberFormat, NeverRoundsAPartUpToTheWhole) {
  EXPECT_EQ(percent(1.0), "100 %");
  EXPECT_EQ(percent(0.99999), "99.9 %");
  EXPECT_EQ(percent(0.999999999999), "99.9 %");
  EXPECT_EQ(percent(0.949999999999), "95.0 %");
  EXPECT_EQ(percent(0.0), "0.0 %");
  EXPECT_EQ(percent(1.5), "150.0 %");
}

}  // namespace
}  // namespace jouletree
