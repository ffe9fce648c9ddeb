#include "report/plot_axis.hpp"

#include <gmock/gmock.h>

namespace jouletree::report {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(ValueAxis, BeginsAtZeroAndEndsAtARoundNumber) {
  const PlotAxis axis = value_axis(50, 78.3, 4);
  EXPECT_EQ(axis.low, 0);
  EXPECT_EQ(axis.high, 80);
  EXPECT_THAT(axis.marks, ElementsAre(0, 20, 40, 60, 80));
  EXPECT_EQ(axis.label(axis.marks[0]), "0");
}

TEST(ValueAxis, HasAsManyDigitsAsItsMarksNeed) {
  const PlotAxis axis = value_axis(0, 0.07, 4);
  EXPECT_EQ(axis.label(axis.marks[1]), "0.02");
}

TEST(ValueAxis, GoesBelowZeroForNegativeValues) {
  const PlotAxis axis = value_axis(-3, 5, 4);
  EXPECT_EQ(axis.low, -4);
  EXPECT_EQ(axis.high, 6);
}

TEST(ValueAxis, SurvivesNothingButZeros) {
  const PlotAxis axis = value_axis(0, 0, 4);
  EXPECT_LT(axis.low, axis.high);
}

TEST(TimeAxis, EndsWhereTheRecordingEnds) {
  const PlotAxis axis = time_axis(6.2, 6);
  EXPECT_THAT(axis.place_of(6.2), DoubleEq(1));
  EXPECT_THAT(axis.marks, ElementsAre(0, 2, 4, 6));
}

}  // namespace
}  // namespace jouletree::report
