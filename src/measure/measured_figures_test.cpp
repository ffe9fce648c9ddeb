#include "measure/measured_figures.hpp"

#include <gmock/gmock.h>

#include "support/sample_profile.hpp"

namespace jouletree::measure {
namespace {

using test::SampleProfile;
using testing::DoubleNear;
using testing::Optional;

auto near(double value) { return Optional(DoubleNear(value, 1e-9)); }

TEST(MeasuredFigures, EnergyOfARunIsItsShareOfAllRuns) {
  const Measured measured = SampleProfile::measured(0, 2);
  EXPECT_THAT(energy_of(measured).value, near(20e-3));
  EXPECT_THAT(energy_of(measured).low, near(19.6e-3));
  EXPECT_THAT(energy_above_idle_of(measured).value, near(12e-3));
}

TEST(MeasuredFigures, WithoutABaselineNothingIsAboveIdle) {
  Measured measured = SampleProfile::measured(0, 2);
  measured.energy->above_idle.reset();
  EXPECT_EQ(energy_above_idle_of(measured).value, std::nullopt);
  EXPECT_TRUE(energy_of(measured).value);
}

TEST(MeasuredFigures, WhatCannotBeToldFromIdleIsUnknown) {
  Measured measured = SampleProfile::measured(0, 2);
  EXPECT_FALSE(is_energy_above_idle_lost(measured));
  const double gross = measured.energy->gross->value.value();
  for (const double above : {-0.1 * gross, 0.0, 0.005 * gross}) {
    measured.energy->above_idle = EnergyRange{Joules::from(above), {}, {}};
    EXPECT_EQ(energy_above_idle_of(measured).value, std::nullopt) << above;
    EXPECT_TRUE(is_energy_above_idle_lost(measured)) << above;
  }
  measured.energy->above_idle.reset();
  EXPECT_FALSE(is_energy_above_idle_lost(measured)) << "nobody asked";
}

TEST(MeasuredFigures, OneWindowSaysNothingAboutItsSpread) {
  Measured measured = SampleProfile::measured(0, 2);
  EXPECT_THAT(time_of(measured).low, near(2e-3));
  measured.trials.seconds.resize(1);
  measured.trials.time = summarize(measured.trials.seconds);
  EXPECT_THAT(time_of(measured).value, near(2e-3));
  EXPECT_EQ(time_of(measured).low, std::nullopt);
}

TEST(MeasuredFigures, WhatFailedHasNoTime) {
  Measured measured = SampleProfile::measured(0, 2);
  measured.failure = "crashed";
  EXPECT_EQ(time_of(measured).value, std::nullopt);
}

}  // namespace
}  // namespace jouletree::measure
