#include "measure/profile.hpp"

#include <gmock/gmock.h>

#include "support/scripted_engine.hpp"

namespace jouletree::measure {
namespace {

using test::ScriptedEnergy;
using test::ScriptedEngine;
using test::ScriptedMachine;
using test::ScriptedOperator;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;

constexpr std::chrono::milliseconds kCounterPeriod{100};

/// 1 + 2 + 2 + 5 ms, two of which are equal; 40, 60 and 100 mJ.
std::vector<ScriptedOperator> four_operators() {
  return {{"/a/Relu", "Relu", Seconds(1e-3), 20},
          {"/a/Tanh", "Tanh", Seconds(2e-3), 30},
          {"/b/Tanh", "Tanh", Seconds(2e-3), 30},
          {"/b/Exp", "Exp", Seconds(5e-3), 40}};
}

constexpr double kWhole = 10e-3;
constexpr double kWholeJoules = 1e-3 * 20 + 2 * 2e-3 * 30 + 5e-3 * 40;

class ScriptedProfile : public testing::Test {
 protected:
  ScriptedProfile() { options_.root = "/nowhere"; }

  Profile run(std::vector<ScriptedOperator> operators) {
    engine_.emplace(machine_, std::move(operators));
    return run();
  }

  Profile run() {
    ScriptedEnergy energy(machine_, kCounterPeriod);
    return profile_model(
        *engine_, {"model.onnx", {}, {}, 1}, options_, energy,
        [](const std::string&, std::size_t, std::size_t) {}, machine_.clock());
  }

  static const UniqueOperator& by_op(const Profile& profile, std::string_view op) {
    for (const UniqueOperator& unique : profile.operators)
      if (unique.key.starts_with(op)) return unique;
    throw std::out_of_range(std::string(op));
  }

  ScriptedMachine machine_;
  std::optional<ScriptedEngine> engine_;
  ProfileOptions options_;
};

TEST_F(ScriptedProfile, KnownCostsAreFound) {
  const Profile profile = run(four_operators());
  EXPECT_NEAR(profile.whole.seconds(), kWhole, 1e-9);
  ASSERT_EQ(profile.operators.size(), 3U) << "equal ones are measured once";
  EXPECT_NEAR(by_op(profile, "Relu").measured->seconds(), 1e-3, 1e-9);
  EXPECT_NEAR(by_op(profile, "Tanh").measured->seconds(), 2e-3, 1e-9);
  EXPECT_NEAR(by_op(profile, "Exp").measured->seconds(), 5e-3, 1e-9);
  EXPECT_NEAR(profile.ledger.raw_s.value.value(), kWhole, 1e-8);
  EXPECT_NEAR(profile.ledger.adjusted_s.value.value(), kWhole, 1e-8);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6);
  EXPECT_EQ(profile.engine, "Scripted 1.0");
  EXPECT_EQ(profile.ledger.failed + profile.ledger.left_out + profile.ledger.out_of_time, 0U);
}

TEST_F(ScriptedProfile, WindowsAreLongEnoughForACounterThatMovesTenTimesASecond) {
  const Profile profile = run(four_operators());
  // One step of the counter in 50 of them.
  EXPECT_NEAR(profile.whole.joules().value(), kWholeJoules, 0.02 * kWholeJoules);
  EXPECT_NEAR(by_op(profile, "Exp").measured->joules().value(), 0.2, 0.02 * 0.2);
  EXPECT_NEAR(profile.ledger.attribution_energy.value(), 1, 0.03);
  for (const UniqueOperator& unique : profile.operators) {
    const Trials& trials = unique.measured->trials;
    EXPECT_GE(Seconds(trials.end - trials.begin), 50 * Seconds(kCounterPeriod));
  }
}

TEST_F(ScriptedProfile, TimeBetweenOperatorsIsNotAttributed) {
  engine_.emplace(machine_, four_operators());
  engine_->overhead = Seconds(2.5e-3);
  const Profile profile = run();
  EXPECT_NEAR(profile.whole.seconds(), 12.5e-3, 1e-9);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 0.8, 1e-6);
}

TEST_F(ScriptedProfile, InPlaceTimesAreScaledToTheWholeThatNobodyWatches) {
  const Profile profile = run(four_operators());
  EXPECT_NEAR(by_op(profile, "Exp").in_place_s.value(), 5e-3, 1e-8);
  EXPECT_NEAR(by_op(profile, "Tanh").in_place_s.value(), 2e-3, 1e-8);
  ASSERT_EQ(profile.timeline.size(), 4U);
  EXPECT_EQ(profile.timeline[3].name, "/b/Exp");
  EXPECT_EQ(profile.timeline[3].begin, std::chrono::microseconds(6250));
}

TEST_F(ScriptedProfile, ModulesAreTheSumsOfTheirOperators) {
  const Profile profile = run(four_operators());
  EXPECT_NEAR(profile.modules.at("a").seconds(), 3e-3, 1e-9);
  EXPECT_NEAR(profile.modules.at("b").seconds(), 7e-3, 1e-9);
}

TEST_F(ScriptedProfile, ARefusedOperatorCostsItsOwnRowOnly) {
  std::vector<ScriptedOperator> operators = four_operators();
  operators[3].refusal = "no kernel for Exp";
  const Profile profile = run(operators);
  EXPECT_EQ(by_op(profile, "Exp").measured->failure, "no kernel for Exp");
  EXPECT_EQ(profile.ledger.failed, 1U);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 0.5, 1e-6);
}

TEST_F(ScriptedProfile, AfterTheEngineEndedTheWholeIsPreparedAnew) {
  std::vector<ScriptedOperator> operators = four_operators();
  operators[3].deaths = 1;
  const Profile profile = run(operators);
  EXPECT_THAT(by_op(profile, "Exp").measured->failure, HasSubstr("the engine ended"));
  EXPECT_NEAR(by_op(profile, "Relu").measured->seconds(), 1e-3, 1e-9);
  EXPECT_THAT(profile.tree.notes, Each(testing::Not(HasSubstr("nothing is prepared"))));
}

TEST_F(ScriptedProfile, ADisturbedOperatorIsMeasuredAgain) {
  const Profile calm = run(four_operators());
  const auto disturbed = by_op(calm, "Exp").measured->trials.begin - test::SimClock::begin();
  ScriptedMachine machine;
  machine.disturb(disturbed - std::chrono::seconds(1), disturbed + std::chrono::seconds(8), 1.5);
  ScriptedEngine engine(machine, four_operators());
  ScriptedEnergy energy(machine, kCounterPeriod);
  const Profile profile = profile_model(
      engine, {"model.onnx", {}, {}, 1}, options_, energy,
      [](const std::string&, std::size_t, std::size_t) {}, machine.clock());
  const Measured& measured = *by_op(profile, "Exp").measured;
  EXPECT_NEAR(measured.seconds(), 5e-3, 1e-9);
  ASSERT_FALSE(measured.set_aside.empty());
  EXPECT_GT(measured.set_aside[0].time.median, 7e-3);
  EXPECT_GT(engine.prepared(3), 1);
}

TEST_F(ScriptedProfile, AMachineThatBecomesSlowerForGoodIsAdjustedFor) {
  const Profile calm = run(four_operators());
  const auto slower = by_op(calm, "Tanh").measured->trials.begin - test::SimClock::begin();
  ScriptedMachine machine;
  machine.disturb(slower - std::chrono::milliseconds(300), Seconds(1e6), 1.2);
  ScriptedEngine engine(machine, four_operators());
  ScriptedEnergy energy(machine, kCounterPeriod);
  options_.modules = false;
  const Profile profile = profile_model(
      engine, {"model.onnx", {}, {}, 1}, options_, energy,
      [](const std::string&, std::size_t, std::size_t) {}, machine.clock());
  EXPECT_GT(profile.ledger.raw_s.value.value(), 1.05 * kWhole);
  EXPECT_NEAR(profile.ledger.adjusted_s.value.value(), profile.whole.seconds(),
              0.03 * profile.whole.seconds());
}

TEST_F(ScriptedProfile, ABudgetThatIsTooSmallNamesOneThatWouldDo) {
  options_.budget = Seconds(1);
  engine_.emplace(machine_, four_operators());
  engine_->time_to_load = Seconds(0.4);
  const Profile profile = run();
  EXPECT_GT(profile.ledger.out_of_time, 0U);
  ASSERT_TRUE(profile.ledger.budget_for_all);
  ScriptedMachine machine;
  ScriptedEngine engine(machine, four_operators());
  engine.time_to_load = Seconds(0.4);
  ScriptedEnergy energy(machine, kCounterPeriod);
  options_.budget = profile.ledger.budget_for_all;
  const Profile second = profile_model(
      engine, {"model.onnx", {}, {}, 1}, options_, energy,
      [](const std::string&, std::size_t, std::size_t) {}, machine.clock());
  EXPECT_EQ(second.ledger.out_of_time, 0U);
}

TEST_F(ScriptedProfile, ATargetEndsTheWorkEarly) {
  options_.target = 0.5;
  const Profile profile = run(four_operators());
  EXPECT_TRUE(by_op(profile, "Exp").measured) << "the largest one comes first";
  EXPECT_FALSE(by_op(profile, "Relu").measured);
  EXPECT_EQ(profile.ledger.left_out, 3U);
  EXPECT_EQ(profile.ledger.out_of_time, 0U);
  EXPECT_TRUE(profile.modules.empty());
}

TEST_F(ScriptedProfile, ProgressTellsStagesInOrder) {
  ScriptedEngine engine(machine_, four_operators());
  ScriptedEnergy energy(machine_, kCounterPeriod);
  std::vector<std::string> stages;
  (void)profile_model(
      engine, {"model.onnx", {}, {}, 1}, options_, energy,
      [&](const std::string& what, std::size_t, std::size_t) {
        if (stages.empty() || stages.back() != what) stages.push_back(what);
      },
      machine_.clock());
  EXPECT_THAT(stages, testing::ElementsAre("loading", "the whole model", "operators", "modules"));
}

}  // namespace
}  // namespace jouletree::measure
