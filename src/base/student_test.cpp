#include "base/student.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(Student, HasTheQuantilesOfTheTables) {
  EXPECT_NEAR(student_deviations(0.025, 1), 12.7062, 1e-4);
  EXPECT_NEAR(student_deviations(0.025, 2), 4.3027, 1e-4);
  EXPECT_NEAR(student_deviations(0.025, 10), 2.2281, 1e-4);
  EXPECT_NEAR(student_deviations(0.005, 30), 2.7500, 1e-4);
  EXPECT_NEAR(student_deviations(0.025, 1e9), 1.959964, 1e-6);
}

TEST(Student, TailsFollowFromTheKnownFormulas) {
  // One degree of freedom: ½ − arctan(t) ÷ π. Two: ½ − t ÷ (2 √(2 + t²)).
  EXPECT_NEAR(student_tail(1, 1), 0.25, 1e-12);
  EXPECT_NEAR(student_tail(3, 1), 0.10241638234956672, 1e-12);
  EXPECT_NEAR(student_tail(2, 2), 0.5 - 2 / (2 * 2.449489742783178), 1e-12);
  EXPECT_NEAR(student_tail(-2, 2), 0.5 + 2 / (2 * 2.449489742783178), 1e-12);
  EXPECT_NEAR(student_tail(0, 7.5), 0.5, 1e-12);
}

TEST(Student, ManyDegreesOfFreedomAreTheNormalDistribution) {
  EXPECT_NEAR(student_tail(1.959964, 999999), 0.025, 1e-6);
  EXPECT_NEAR(student_tail(1.959964, 1000001), 0.025, 1e-6);
}

}  // namespace
}  // namespace jouletree
