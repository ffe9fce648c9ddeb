#include "campaign/calibration.hpp"

#include <gtest/gtest.h>

namespace jouletree::campaign {
namespace {

TEST(Calibration, AKindThatWasNeverMeasuredComesFirst) {
  EXPECT_EQ(least_sure({{"convolutions", 1, 80.0}, {"pools", 0, {}}, {"moves", 0, {}}}), 1U);
}

TEST(Calibration, TheKindThatIsPredictedWorstComesNext) {
  EXPECT_EQ(least_sure({{"convolutions", 3, 4.0}, {"pools", 3, 9.0}, {"moves", 3, 2.0}}), 1U);
}

TEST(Calibration, AKindOfManyModelsIsSurerThanOneOfFew) {
  EXPECT_EQ(least_sure({{"convolutions", 16, 10.0}, {"pools", 4, 8.0}}), 1U);
}

TEST(Calibration, AKindThatMattersMoreComesBeforeOneThatIsAsUnsure) {
  EXPECT_EQ(least_sure({{"resizes", 3, 9.0, 1}, {"convolutions", 3, 9.0, 3}}), 1U);
}

TEST(Calibration, AKindThatTheEngineCannotRunIsNotTriedForEver) {
  EXPECT_EQ(least_sure({{"4-bit products", 0, {}, 1, 5}, {"pools", 2, 20.0}}), 1U);
}

TEST(Calibration, OfASingleModelNothingIsKnown) {
  EXPECT_EQ(least_sure({{"convolutions", 2, 20.0}, {"pools", 1, {}}}), 1U);
}

}  // namespace
}  // namespace jouletree::campaign
