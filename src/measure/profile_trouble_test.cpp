#include <random>

#include <gmock/gmock.h>

#include "measure/profile.hpp"
#include "support/scripted_profile.hpp"

// What a profile makes of an engine that ends, of others that use the machine, and of too little
// time.

namespace jouletree::measure {
namespace {

using engines::Slot;
using test::by_op;
using test::four_operators;
using test::kFourSeconds;
using test::ScriptedOperator;
using test::ScriptedProfile;
using test::since_begin;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Call = test::ScriptedEngine::Call;

TEST(ProfileOfAnEngineThatEnds, AfterTheEngineEndedTheWholeIsPreparedAnew) {
  std::vector<ScriptedOperator> operators = four_operators();
  operators[3].deaths = 1;
  ScriptedProfile story(operators);
  const Profile profile = story.run();
  EXPECT_EQ(by_op(profile, "Exp").measured->failure, "the engine ended");
  EXPECT_EQ(profile.ledger.failed, 1U);
  EXPECT_NEAR(by_op(profile, "Relu").measured->seconds(), 1e-3, 1e-9);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 0.5, 1e-6);
  EXPECT_GT(profile.whole.trials.windows.back().begin, by_op(profile, "Relu").measured->trials.end)
      << "looks go on";
  EXPECT_THAT(profile.tree.notes, IsEmpty());
}

TEST(ProfileOfAnEngineThatEnds, AWindowThatIsLostCostsTheSeries) {
  ScriptedProfile story;
  story.engine.end_in(Call::Run, 3, 3, Slot::Part);
  const Profile profile = story.run();
  EXPECT_EQ(by_op(profile, "Exp").measured->failure, "the engine ended");
  EXPECT_TRUE(by_op(profile, "Tanh").is_measured_alone());
  EXPECT_THAT(profile.tree.notes, IsEmpty());
}

TEST(ProfileOfAnEngineThatEnds, ALookThatIsLostIsANote) {
  ScriptedProfile story;
  const std::size_t windows = story.run().whole.trials.windows.size();
  ScriptedProfile other;
  other.engine.end_in(Call::Run, static_cast<int>(windows), static_cast<int>(windows));
  const Profile profile = other.run();
  EXPECT_THAT(profile.tree.notes,
              ElementsAre("the whole model could not run once more: the engine ended"));
  EXPECT_EQ(profile.ledger.failed, 0U);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6);
}

TEST(ProfileOfAnEngineThatEnds, SingleRunsThatAreLostAreANote) {
  ScriptedProfile story;
  story.engine.end_in(Call::RunEach, 1, 1);
  const Profile profile = story.run();
  EXPECT_THAT(profile.tree.notes, ElementsAre("some single runs were not timed: the engine ended"));
  EXPECT_THAT(profile.latencies_s, testing::Not(IsEmpty())) << "later ones were";
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6);
}

TEST(ProfileOfAnEngineThatEnds, KernelsThatWereNotSeenAreANote) {
  ScriptedProfile story;
  story.engine.end_in(Call::Watch, 1, 1);
  const Profile profile = story.run();
  EXPECT_THAT(profile.tree.notes, ElementsAre("kernels were not timed in place: the engine ended"));
  EXPECT_FALSE(by_op(profile, "Exp").in_place_s);
  EXPECT_THAT(profile.timeline, IsEmpty());
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6);
}

TEST(ProfileOfAnEngineThatEnds, AProgramThatIsLostLeavesNoLineForItsCaller) {
  ScriptedProfile story;
  story.engine.caller_time = Seconds(2.5e-3);
  story.engine.end_in(Call::Prepare, 1, 1, Slot::Program);
  const Profile profile = story.run();
  EXPECT_FALSE(profile.caller);
  EXPECT_THAT(profile.tree.notes, ElementsAre("Script and dispatch could not be told from the "
                                              "operators: the engine ended"));
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 0.8, 1e-6);
  EXPECT_GT(profile.whole.trials.windows.back().begin, by_op(profile, "Exp").measured->trials.end)
      << "the whole was prepared anew";
}

TEST(ProfileOfAnEngineThatEnds, AModelThatItCannotLoadOrRunIsAnError) {
  ScriptedProfile story;
  story.engine.end_in(Call::Load, 1, 1);
  EXPECT_THAT([&] { (void)story.run(); },
              testing::ThrowsMessage<Error>(
                  "model.onnx: the engine could not load the model: the engine ended"));
  ScriptedProfile other;
  other.engine.end_in(Call::Prepare, 1, 1);
  EXPECT_THAT([&] { (void)other.run(); },
              testing::ThrowsMessage<Error>(
                  "model.onnx: the engine could not run the model: the engine ended"));
}

TEST(ProfileOfABusyMachine, ADisturbedOperatorIsMeasuredAgain) {
  ScriptedProfile calm;
  const Profile before = calm.run();
  const Seconds begin = since_begin(by_op(before, "Exp").measured->trials.begin);
  ScriptedProfile story;
  story.machine.disturb(begin - Seconds(1), begin + Seconds(8), 1.5);
  const Profile profile = story.run();
  const Measured& measured = *by_op(profile, "Exp").measured;
  EXPECT_NEAR(measured.seconds(), 5e-3, 1e-9);
  ASSERT_EQ(measured.set_aside.size(), 1U);
  EXPECT_NEAR(measured.set_aside[0].time.median, 7.5e-3, 1e-9);
  EXPECT_EQ(story.engine.prepared(3), calm.engine.prepared(3) + 1);
  EXPECT_TRUE(by_op(profile, "Relu").measured->set_aside.empty());
  EXPECT_NEAR(profile.ledger.raw_s.value.value(), kFourSeconds, 1e-8);
}

TEST(ProfileOfABusyMachine, APartThatIsLostInALaterRoundKeepsWhatItHad) {
  ScriptedProfile calm;
  const Profile before = calm.run();
  const Seconds begin = since_begin(by_op(before, "Exp").measured->trials.begin);
  ScriptedProfile story;
  story.machine.disturb(begin - Seconds(1), begin + Seconds(8), 1.5);
  // Three kinds in the first round, and then the disturbed one again.
  story.engine.end_in(Call::Prepare, 4, 5, Slot::Part);
  const Profile profile = story.run();
  EXPECT_THAT(profile.tree.notes,
              ElementsAre("a part could not be measured again: the engine ended",
                          "a part could not be measured again: the engine ended"));
  EXPECT_NEAR(by_op(profile, "Exp").measured->seconds(), 7.5e-3, 1e-9);
  EXPECT_EQ(profile.ledger.failed, 0U);
}

TEST(ProfileOfABusyMachine, AMachineThatBecomesSlowerForGoodIsAdjustedFor) {
  ScriptedProfile calm;
  const Profile before = calm.run();
  const Seconds slower = since_begin(by_op(before, "Tanh").measured->trials.begin);
  ScriptedProfile story;
  story.machine.disturb(slower - Seconds(0.3), Seconds(1e6), 1.2);
  story.options.modules = false;
  const Profile profile = story.run();
  EXPECT_GT(profile.ledger.raw_s.value.value(), 1.05 * kFourSeconds);
  EXPECT_NEAR(profile.ledger.adjusted_s.value.value(), profile.whole.seconds(),
              0.03 * profile.whole.seconds());
}

TEST(ProfileOfABusyMachine, TimesInPlaceAddUpToTheWholeAsItWasFoundInTheEnd) {
  // Inexact series are good enough, so that a few windows decide on the median.
  ScriptedProfile calm;
  calm.options.precision = 0.5;
  const Profile before = calm.run();
  const std::vector<Window>& windows = before.whole.trials.windows;
  ASSERT_GT(windows.size(), 20U);
  ScriptedProfile story;
  story.options.precision = 0.5;
  const Seconds first = since_begin(windows[0].begin);
  story.machine.disturb(first, since_begin(windows[10].begin), 1.2);
  const Seconds second = since_begin(before.operators[0].measured->trials.begin) - Seconds(0.3);
  story.machine.disturb(second, Seconds(1e6), 1.2);
  const Profile profile = story.run();
  double in_place_s = 0;
  for (const UniqueOperator& unique : profile.operators)
    in_place_s += unique.in_place_s.value() * static_cast<double>(unique.nodes.size());
  EXPECT_NEAR(in_place_s, profile.whole.seconds(), 1e-9);
  EXPECT_GT(profile.whole.seconds(), 1.1 * before.whole.seconds()) << "or this tests nothing";
}

/// Others use the machine at any moment, so that nothing takes as long as just before.
void use_by_others(unsigned seed, ScriptedProfile& story) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> time(0.05, 0.6);
  std::uniform_real_distribution<double> slower(1, 4);
  for (double now = 0; now < 40;) {
    const double end = now + time(random);
    story.machine.disturb(Seconds(now), Seconds(end), slower(random));
    now = end;
  }
}

TEST(ProfileOfABusyMachine, OneThatNeverRestsIsNotAdjustedAtRandom) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    ScriptedProfile story;
    use_by_others(seed, story);
    story.options.modules = false;
    story.options.budget = Seconds(6);
    const Profile profile = story.run();
    const Ledger& ledger = profile.ledger;
    EXPECT_GT(ledger.speed_scatter, 0.1) << seed;
    EXPECT_GT(profile.whole.trials.time.uncertainty(), 0.1) << "no false precision";
    const double change = *ledger.adjusted_s.value / *ledger.raw_s.value;
    EXPECT_THAT(change, testing::AllOf(testing::Gt(0.6), testing::Lt(1.65))) << seed;
    const auto width = [](const Figure& sum) { return (*sum.high - *sum.low) / *sum.value; };
    EXPECT_GT(width(ledger.adjusted_s), width(ledger.raw_s)) << seed << ": the doubt is told";
  }
}

TEST(ProfileOfAnEngineWithACoarseClock, TimesInPlaceThatItCannotTellAreUnknown) {
  // Three kernels of less than a step each are not a third of the model each.
  ScriptedProfile story({{"/a/Relu", "Relu", Seconds(0.1e-3)},
                         {"/a/Tanh", "Tanh", Seconds(0.7e-3)},
                         {"/a/Exp", "Exp", Seconds(0.2e-3)}});
  story.engine.clock_step = Seconds(1e-3);
  story.options.budget = Seconds(1);
  story.options.modules = false;
  const Profile profile = story.run();
  for (const UniqueOperator& unique : profile.operators) EXPECT_FALSE(unique.in_place_s);
  EXPECT_THAT(profile.tree.notes,
              ElementsAre(HasSubstr("of 3 of 3 kinds of operators are unknown: they take no longer "
                                    "than 1000 µs")));
  EXPECT_GT(profile.timeline.size(), 0U) << "what was seen is kept";
}

TEST(ProfileOfAnEngineWithACoarseClock, WhatItCanTellIsKept) {
  ScriptedProfile story({{"/a/Relu", "Relu", Seconds(0.4e-3)},
                         {"/a/Tanh", "Tanh", Seconds(20e-3)},
                         {"/a/Exp", "Exp", Seconds(200e-3)}});
  story.engine.clock_step = Seconds(1e-3);
  story.options.modules = false;
  const Profile profile = story.run();
  EXPECT_TRUE(by_op(profile, "Exp").in_place_s);
  EXPECT_TRUE(by_op(profile, "Tanh").in_place_s);
  EXPECT_TRUE(by_op(profile, "Relu").in_place_s) << "it does not matter beside the others";
  EXPECT_THAT(profile.tree.notes, IsEmpty());
  ScriptedProfile rough({{"/a/Relu", "Relu", Seconds(2e-3)}, {"/a/Exp", "Exp", Seconds(3e-3)}});
  rough.engine.clock_step = Seconds(1e-3);
  rough.options.modules = false;
  rough.options.budget = Seconds(1);
  EXPECT_THAT(rough.run().tree.notes, ElementsAre(HasSubstr("times in place are rough")));
}

TEST(ProfileWithABudget, OneThatIsTooSmallNamesOneThatWouldDo) {
  ScriptedProfile story;
  story.options.budget = Seconds(1);
  story.engine.time_to_load = Seconds(0.4);
  const Profile profile = story.run();
  EXPECT_GT(profile.ledger.out_of_time, 0U);
  EXPECT_EQ(profile.ledger.left_out, 0U);
  EXPECT_EQ(profile.ledger.in_place, profile.ledger.out_of_time) << "all were seen in the model";
  ASSERT_TRUE(profile.ledger.budget_for_all);
  ScriptedProfile second;
  second.options.budget = profile.ledger.budget_for_all;
  second.engine.time_to_load = Seconds(0.4);
  EXPECT_EQ(second.run().ledger.out_of_time, 0U);
}

TEST(ProfileWithABudget, TheWorkEndsWithIt) {
  for (const double budget : {2.0, 10.0, 60.0}) {
    ScriptedProfile story;
    story.options.budget = Seconds(budget);
    const Profile profile = story.run();
    EXPECT_LT(since_begin(profile.end).count(), 1.3 * budget + 0.5) << budget;
    EXPECT_EQ(profile.ledger.out_of_time, 0U) << budget;
  }
}

}  // namespace
}  // namespace jouletree::measure
