#include "report/si_text.hpp"

#include <gtest/gtest.h>

namespace jouletree::report {
namespace {

TEST(SiText, TakesThePrefixThatFits) {
  EXPECT_EQ(si_text(433.21, "J"), "433.2 J");
  EXPECT_EQ(si_text(1234.5, "J"), "1.234 kJ");
  EXPECT_EQ(si_text(0.0512, "W"), "51.2 mW");
  EXPECT_EQ(si_text(-2e-6, "J"), "-2 µJ");
  EXPECT_EQ(si_text(3.21e-7, "s"), "321 ns");
  EXPECT_EQ(si_text(0.0, "J"), "0 J");
}

TEST(SiText, RoundsToTheNextPrefix) { EXPECT_EQ(si_text(999.99, "J"), "1 kJ"); }

TEST(SiText, NamesTheUnknown) { EXPECT_EQ(si_text(std::nullopt, "J"), "unknown"); }

TEST(DurationText, GetsCoarserAsItGetsLonger) {
  EXPECT_EQ(duration_text(0.0123), "12.3 ms");
  EXPECT_EQ(duration_text(12.345), "12.35 s");
  EXPECT_EQ(duration_text(200.9), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 05 min");
}

}  // namespace
}  // namespace jouletree::report
