#include "measure/paired_runs.hpp"

#include <gmock/gmock.h>

#include "support/noisy_story.hpp"

namespace jouletree::measure {
namespace {

using test::four_operators;
using test::ScriptedEnergy;
using test::ScriptedEngine;
using test::ScriptedMachine;
using test::ScriptedOperator;
using test::slowed_operators;

PairedModel model_of(ScriptedMachine& machine, std::vector<ScriptedOperator> operators) {
  return {[&machine, operators = std::move(operators)] {
            return std::make_unique<ScriptedEngine>(machine, operators);
          },
          {"model.onnx", {}, {}, 1}};
}

PairedRuns paired(unsigned seed, const test::MachineNoise& noise,
                  const std::vector<ScriptedOperator>& first,
                  const std::vector<ScriptedOperator>& second, double seconds = 10) {
  ScriptedMachine machine;
  disturb(machine, seed, noise);
  ScriptedEnergy energy(machine, std::chrono::milliseconds(10));
  PairPlan plan;
  plan.time = std::chrono::duration<double>(seconds);
  return run_in_pairs(
      model_of(machine, first), model_of(machine, second), plan, energy,
      [](const std::string&, std::size_t, std::size_t) {}, machine.clock());
}

PairedTest time_test(const PairedRuns& runs) {
  std::vector<double> ratios;
  std::vector<int> loads;
  for (const PairedRound& round : runs.rounds) {
    ratios.push_back(round.time_ratio);
    loads.push_back(round.load);
  }
  return test_pairs(ratios, loads);
}

/// How long it all took on a machine with a slow meter, and what came of it.
std::pair<double, PairedRuns> with_slow_meter(bool tells_energy) {
  ScriptedMachine machine;
  ScriptedEnergy energy(machine, std::chrono::milliseconds(100));
  PairPlan plan;
  plan.time = std::chrono::duration<double>(10);
  plan.tells_energy = tells_energy;
  const Time begin = machine.clock().now();
  PairedRuns runs = run_in_pairs(
      model_of(machine, four_operators()), model_of(machine, slowed_operators()), plan, energy,
      [](const std::string&, std::size_t, std::size_t) {}, machine.clock());
  return {std::chrono::duration<double>(machine.clock().now() - begin).count(), std::move(runs)};
}

TEST(PairedRuns, TakeNoLongerThanPlannedWhereNobodyAsksForEnergy) {
  const auto [seconds, runs] = with_slow_meter(false);
  EXPECT_LT(seconds, 20);
  EXPECT_GT(runs.rounds.size(), 12U);
  EXPECT_FALSE(runs.first_j) << "of turns too short for the meter";
  EXPECT_TRUE(runs.energy_provenance.empty());
}

TEST(PairedRuns, TakeLongerWhereMetersAreSlow) {
  const auto [seconds, runs] = with_slow_meter(true);
  EXPECT_GT(seconds, 40);
  EXPECT_EQ(runs.rounds.size(), 12U) << "three of each of four loads";
  EXPECT_TRUE(runs.first_j);
}

TEST(PairedRuns, BothFindTheSameMachine) {
  const PairedRuns runs = paired(1, {0.1, 0}, four_operators(), slowed_operators(), 20);
  EXPECT_GE(runs.rounds.size(), 40U);
  EXPECT_EQ(runs.rounds.back().load, 5) << "loaded six times";
  const PairedTest test = time_test(runs);
  EXPECT_NEAR(*test.ratio.value, 1.1, 0.05);
  EXPECT_LE(*test.ratio.low, 1.1);
  EXPECT_GE(*test.ratio.high, 1.1);
  EXPECT_LE(test.p, 0.05) << "although the machine changes by 10 %";
  EXPECT_EQ(runs.engine, "Scripted 1.0");
  EXPECT_EQ(runs.first_tree.root.totals.operators, 4);
  EXPECT_EQ(runs.second_tree.root.totals.operators, 5);
}

TEST(PairedRuns, EnergiesAreThoseOfTheTurns) {
  const PairedRuns runs = paired(2, {0, 0}, four_operators(), slowed_operators());
  EXPECT_NEAR(runs.first_s, test::kFourSeconds, 1e-9);
  EXPECT_NEAR(runs.second_s, 1.1 * test::kFourSeconds, 1e-9);
  EXPECT_NEAR(runs.first_j.value(), test::kFourJoules, 0.1 * test::kFourJoules);
  EXPECT_NEAR(*runs.second_j - *runs.first_j, 1e-3 * 40, 0.02);
  EXPECT_EQ(runs.energy_provenance, "measured");
}

TEST(PairedRuns, ASlowDownIsCaughtAndNothingElse) {
  unsigned caught = 0;
  unsigned quiet = 0;
  constexpr unsigned kSeeds = 20;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const PairedTest slow =
        time_test(paired(seed, {0.05, 0}, four_operators(), slowed_operators()));
    if (slow.p <= 0.05 && *slow.ratio.value >= 1.05) ++caught;
    const PairedTest same =
        time_test(paired(100 + seed, {0.05, 0}, four_operators(), four_operators()));
    if (same.p > 0.05 || *same.ratio.value < 1.05) ++quiet;
  }
  EXPECT_GE(caught, kSeeds - 1);
  EXPECT_GE(quiet, kSeeds - 1);
}

TEST(PairedRuns, LoadsThatDifferAreNoise) {
  // Every round of a load agrees, but the next load finds other memory.
  std::vector<double> ratios;
  std::vector<int> loads;
  for (int load = 0; load < 6; ++load) {
    for (int i = 0; i < 20; ++i) {
      ratios.push_back((load % 2 == 0 ? 1.06 : 0.97) + 0.0001 * i);
      loads.push_back(load);
    }
  }
  const PairedTest test = test_pairs(ratios, loads);
  EXPECT_LT(test.p_rounds, 0.05);
  EXPECT_GT(test.p_loads, 0.3);
  EXPECT_EQ(test.p, test.p_loads);
  EXPECT_LT(*test.ratio.low, 1);
}

TEST(PairedRuns, AnEngineThatEndsIsAnError) {
  ScriptedMachine machine;
  ScriptedEnergy energy(machine, std::chrono::milliseconds(10));
  const PairedModel good = model_of(machine, four_operators());
  const PairedModel bad{[&machine] {
                          auto engine = std::make_unique<ScriptedEngine>(machine, four_operators());
                          engine->end_in(ScriptedEngine::Call::RunEach, 2, 2);
                          return engine;
                        },
                        {"model.onnx", {}, {}, 1}};
  EXPECT_THROW((void)run_in_pairs(
                   good, bad, {}, energy, [](const std::string&, std::size_t, std::size_t) {},
                   machine.clock()),
               Error);
}

}  // namespace
}  // namespace jouletree::measure
