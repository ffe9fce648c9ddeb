#include <gmock/gmock.h>

#include "measure/profile.hpp"
#include "support/scripted_profile.hpp"

// Operators on a device that works later than it is called, and whose energy counter moves ten
// times a second, as graphics cards do.

namespace jouletree::measure {
namespace {

using test::by_op;
using test::kFourJoules;
using test::kFourSeconds;
using test::ScriptedProfile;
using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;

/// Of all calls before the device has something to do.
constexpr double kCall = 1e-5;

class ProfileOfADevice : public testing::Test {
 protected:
  ProfileOfADevice() {
    story_.engine.time_to_call = Seconds(kCall);
    story_.counter_period = std::chrono::milliseconds(100);
  }

  ScriptedProfile story_;
};

TEST_F(ProfileOfADevice, TimesAreThoseOfTheWorkAndNotOfTheCalls) {
  const Profile profile = story_.run();
  EXPECT_THAT(profile.whole.seconds(), AllOf(Ge(kFourSeconds), Le(kFourSeconds + kCall)));
  EXPECT_THAT(by_op(profile, "Relu").measured->seconds(), AllOf(Ge(1e-3), Le(1e-3 + kCall)));
  EXPECT_THAT(by_op(profile, "Tanh").measured->seconds(), AllOf(Ge(2e-3), Le(2e-3 + kCall)));
  EXPECT_THAT(by_op(profile, "Exp").measured->seconds(), AllOf(Ge(5e-3), Le(5e-3 + kCall)));
  EXPECT_THAT(profile.modules.at("a").seconds(), AllOf(Ge(3e-3), Le(3e-3 + kCall)));
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 0.01);
}

TEST_F(ProfileOfADevice, WindowsBeginAndEndWithAnIdleDevice) {
  const Profile profile = story_.run();
  for (const UniqueOperator& unique : profile.operators) {
    for (const Window& window : unique.measured->trials.windows) {
      const double work =
          unique.in_place_s.value() * unique.measured->copies * static_cast<double>(window.runs);
      const double lasted = Seconds(window.end - window.begin).count();
      EXPECT_THAT(lasted, AllOf(Ge(work * 0.999), Le(work * 1.001 + kCall))) << unique.key;
    }
  }
}

TEST_F(ProfileOfADevice, SingleRunsLastUntilTheirWorkIsDone) {
  const Profile profile = story_.run();
  ASSERT_FALSE(profile.latencies_s.empty());
  EXPECT_THAT(profile.latencies_s, Each(testing::DoubleNear(kFourSeconds + kCall, 1e-9)));
}

TEST_F(ProfileOfADevice, WindowsLastFiftyUpdatesOfTheCounter) {
  const Profile profile = story_.run();
  const auto lasted = [](const Measured& measured) {
    return Seconds(measured.trials.end - measured.trials.begin).count();
  };
  for (const UniqueOperator& unique : profile.operators)
    EXPECT_GE(lasted(*unique.measured), 50 * 0.1) << unique.key;
  for (const auto& [scope, module] : profile.modules) EXPECT_GE(lasted(module), 50 * 0.1) << scope;
  EXPECT_GE(lasted(profile.whole), 50 * 0.1);
}

TEST_F(ProfileOfADevice, EnergiesAreAsExactAsOneUpdateInFifty) {
  const Profile profile = story_.run();
  EXPECT_NEAR(profile.whole.joules().value(), kFourJoules, 0.02 * kFourJoules);
  EXPECT_NEAR(by_op(profile, "Relu").measured->joules().value(), 0.02, 0.02 * 0.02);
  EXPECT_NEAR(by_op(profile, "Tanh").measured->joules().value(), 0.06, 0.02 * 0.06);
  EXPECT_NEAR(by_op(profile, "Exp").measured->joules().value(), 0.2, 0.02 * 0.2);
  EXPECT_NEAR(profile.ledger.attribution_energy.value(), 1, 0.03);
}

TEST_F(ProfileOfADevice, ASeriesThatABudgetMakesShortTellsHowFarItsEnergyMayBeOff) {
  story_.options.budget = Seconds(6);
  const Profile profile = story_.run();
  for (const UniqueOperator& unique : profile.operators) {
    const Trials& trials = unique.measured->trials;
    const EnergyRange& energy = *unique.measured->energy->gross;
    ASSERT_LT(Seconds(trials.end - trials.begin).count(), 2) << "the budget was too large";
    const double used = story_.machine.joules(trials.begin, trials.end);
    EXPECT_LE(energy.low->value(), used) << unique.key;
    EXPECT_GE(energy.high->value(), used) << unique.key;
    EXPECT_GT(energy.high->value() - energy.low->value(), 0.05 * used) << unique.key;
  }
}

}  // namespace
}  // namespace jouletree::measure
