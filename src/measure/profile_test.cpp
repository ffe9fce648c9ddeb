#include "measure/profile.hpp"

#include <gmock/gmock.h>

#include "support/scripted_profile.hpp"

namespace jouletree::measure {
namespace {

using test::by_op;
using test::four_operators;
using test::kFourJoules;
using test::kFourSeconds;
using test::ScriptedOperator;
using test::ScriptedProfile;

TEST(ProfileModel, KnownCostsAreFound) {
  ScriptedProfile story;
  const Profile profile = story.run();
  EXPECT_NEAR(profile.whole.seconds(), kFourSeconds, 1e-9);
  ASSERT_EQ(profile.operators.size(), 3U) << "equal ones are measured once";
  EXPECT_NEAR(by_op(profile, "Relu").measured->seconds(), 1e-3, 1e-9);
  EXPECT_NEAR(by_op(profile, "Tanh").measured->seconds(), 2e-3, 1e-9);
  EXPECT_NEAR(by_op(profile, "Exp").measured->seconds(), 5e-3, 1e-9);
  EXPECT_NEAR(profile.ledger.raw_s.value.value(), kFourSeconds, 1e-8);
  EXPECT_NEAR(profile.ledger.adjusted_s.value.value(), kFourSeconds, 1e-8);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6);
  EXPECT_EQ(profile.engine, "Scripted 1.0");
  EXPECT_EQ(profile.ledger.failed + profile.ledger.left_out + profile.ledger.out_of_time, 0U);
}

TEST(ProfileModel, WindowsAreLongEnoughForACounterThatMovesTenTimesASecond) {
  ScriptedProfile story;
  const Profile profile = story.run();
  // One step of the counter in 50 of them.
  EXPECT_NEAR(profile.whole.joules().value(), kFourJoules, 0.02 * kFourJoules);
  EXPECT_NEAR(by_op(profile, "Exp").measured->joules().value(), 0.2, 0.02 * 0.2);
  EXPECT_NEAR(profile.ledger.attribution_energy.value(), 1, 0.03);
  for (const UniqueOperator& unique : profile.operators) {
    const Trials& trials = unique.measured->trials;
    EXPECT_GE(Seconds(trials.end - trials.begin), 50 * Seconds(0.1));
  }
}

TEST(ProfileModel, TimeBetweenOperatorsIsNotAttributed) {
  ScriptedProfile story;
  story.engine.overhead = Seconds(2.5e-3);
  const Profile profile = story.run();
  EXPECT_NEAR(profile.whole.seconds(), 12.5e-3, 1e-9);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 0.8, 1e-6);
}

TEST(ProfileModel, InPlaceTimesAreScaledToTheWholeThatNobodyWatches) {
  ScriptedProfile story;
  const Profile profile = story.run();
  EXPECT_NEAR(by_op(profile, "Exp").in_place_s.value(), 5e-3, 1e-8);
  EXPECT_NEAR(by_op(profile, "Tanh").in_place_s.value(), 2e-3, 1e-8);
  ASSERT_EQ(profile.timeline.size(), 4U);
  EXPECT_EQ(profile.timeline[3].name, "/b/Exp");
  EXPECT_EQ(profile.timeline[3].begin, std::chrono::microseconds(6250));
}

TEST(ProfileModel, ModulesAreTheSumsOfTheirOperators) {
  ScriptedProfile story;
  const Profile profile = story.run();
  EXPECT_NEAR(profile.modules.at("a").seconds(), 3e-3, 1e-9);
  EXPECT_NEAR(profile.modules.at("b").seconds(), 7e-3, 1e-9);
}

TEST(ProfileModel, ARefusedOperatorCostsItsOwnRowOnly) {
  std::vector<ScriptedOperator> operators = four_operators();
  operators[3].refusal = "no kernel for Exp";
  ScriptedProfile story(operators);
  const Profile profile = story.run();
  EXPECT_EQ(by_op(profile, "Exp").measured->failure, "no kernel for Exp");
  EXPECT_EQ(profile.ledger.failed, 1U);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 0.5, 1e-6);
}

TEST(ProfileModel, EveryKindOfOperatorIsMeasuredInTheFirstRound) {
  ScriptedProfile story;
  const Profile profile = story.run();
  for (const UniqueOperator& unique : profile.operators)
    EXPECT_TRUE(unique.is_measured_alone()) << unique.key;
  EXPECT_EQ(story.engine.prepared(0), 2) << "as an operator and in its module";
  EXPECT_EQ(story.engine.prepared(1), 2);
  EXPECT_EQ(story.engine.prepared(2), 1) << "equal to the one before, but in a module of its own";
  EXPECT_EQ(story.engine.prepared(3), 2);
}

TEST(ProfileModel, ATargetEndsTheWorkEarly) {
  ScriptedProfile story;
  story.options.target = 0.5;
  const Profile profile = story.run();
  EXPECT_TRUE(by_op(profile, "Exp").measured) << "the largest one comes first";
  EXPECT_FALSE(by_op(profile, "Relu").measured);
  EXPECT_EQ(profile.ledger.left_out, 3U);
  EXPECT_EQ(profile.ledger.out_of_time, 0U);
  EXPECT_TRUE(profile.modules.empty());
}

TEST(ProfileModel, ATargetNeedsNoMoreOperatorsThanReachIt) {
  ScriptedProfile story;
  story.options.target = 0.85;
  const Profile profile = story.run();
  EXPECT_TRUE(by_op(profile, "Tanh").measured) << "0.5 + 0.4";
  EXPECT_FALSE(by_op(profile, "Relu").measured);
  EXPECT_EQ(profile.ledger.left_out, 1U);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 0.9, 1e-6);
}

TEST(ProfileModel, TheDateIsThatOfTheClock) {
  ScriptedProfile story;
  EXPECT_EQ(story.run().environment.date, "2023-11-14T22:13:20Z");
}

TEST(ProfileModel, ProgressTellsStagesInOrder) {
  ScriptedProfile story;
  (void)story.run();
  EXPECT_THAT(story.stages,
              testing::ElementsAre("loading", "the whole model", "operators", "modules"));
}

TEST(ProfileModel, WhatCallsTheOperatorsIsALineOfTheLedger) {
  ScriptedProfile story;
  story.engine.caller_time = Seconds(2.5e-3);
  const Profile profile = story.run();
  EXPECT_NEAR(profile.whole.seconds(), 12.5e-3, 1e-9);
  ASSERT_TRUE(profile.caller);
  EXPECT_EQ(profile.caller->name, "Script and dispatch");
  EXPECT_NEAR(profile.caller->program.seconds(), kFourSeconds, 1e-9);
  EXPECT_NEAR(profile.ledger.caller_s.value.value(), 2.5e-3, 1e-8);
  EXPECT_NEAR(profile.ledger.caller_j.value.value(), 2.5e-3 * 20, 0.03 * kFourJoules);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6) << "it counts as explained";
  EXPECT_NEAR(by_op(profile, "Exp").in_place_s.value(), 5e-3, 1e-8)
      << "times in place add up to the operators, not to the whole";
}

TEST(ProfileModel, GapsBetweenOperatorsAreNotWhatCallsThem) {
  ScriptedProfile story;
  story.engine.caller_time = Seconds(2.5e-3);
  story.engine.overhead = Seconds(2.5e-3);
  const Profile profile = story.run();
  EXPECT_NEAR(profile.ledger.caller_s.value.value(), 2.5e-3, 1e-8);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 12.5 / 15, 1e-6);
}

TEST(ProfileModel, AModuleThatHoldsALoopIsNotMeasuredAlone) {
  std::vector<test::ScriptedOperator> operators = test::four_operators();
  operators[0].runs = 3;
  ScriptedProfile story(operators);
  const Profile profile = story.run();
  EXPECT_NEAR(profile.whole.seconds(), test::kFourSeconds + 2 * 1e-3, 1e-9);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6) << "every iteration counts";
  EXPECT_FALSE(profile.modules.contains("a")) << "alone it would run one iteration";
  EXPECT_TRUE(profile.modules.contains("b"));
}

}  // namespace
}  // namespace jouletree::measure
