#include "base/footprint.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

const Joules kOneKilowattHour = Joules::from(3.6e6);

TEST(FootprintTest, AKilowattHourEmitsAndCostsWhatTheFactorsSay) {
  EXPECT_DOUBLE_EQ(kilowatt_hours(kOneKilowattHour), 1);
  EXPECT_DOUBLE_EQ(co2e_grams(kOneKilowattHour, {.g_per_kwh = 344}, 1), 344);
  EXPECT_DOUBLE_EQ(cost_of(kOneKilowattHour, {.per_kwh = 0.25}, 1), 0.25);
}

TEST(FootprintTest, TheDataCentreMultipliesBoth) {
  EXPECT_DOUBLE_EQ(co2e_grams(kOneKilowattHour, {.g_per_kwh = 100}, 1.5), 150);
  EXPECT_DOUBLE_EQ(cost_of(kOneKilowattHour, {.per_kwh = 0.2}, 1.5), 0.3);
}

TEST(FootprintTest, EnergyBelowIdleStaysNegative) {
  EXPECT_DOUBLE_EQ(co2e_grams(Joules{} - kOneKilowattHour, {.g_per_kwh = 100}, 1), -100);
}

}  // namespace
}  // namespace jouletree
